# Steps of .ci/run, which sets work, total_limit, passed, failed and summary.
# shellcheck shell=bash

note() { # RESULT TITLE SECONDS
  summary+=("$(printf '%-6s %4ss  %s' "$1" "$3" "$2")")
}

# Runs a command within its limit and within what is left of the whole.
limited() { # SECONDS COMMAND…
  local limit
  limit=$(limit_of "$1")
  shift
  timeout --kill-after=10 "$limit" "$@"
}
# Not 0, which would be no limit at all.
limit_of() { # SECONDS
  local left=$((total_limit - SECONDS))
  if [ "$left" -lt 1 ]; then left=0.01; elif [ "$1" -lt "$left" ]; then left=$1; fi
  echo "$left"
}

# One step is one passed or one failed.
step() { # TITLE SECONDS COMMAND…
  local title=$1 limit=$2 begun=$SECONDS status
  shift 2
  printf '\n=== %s\n' "$title"
  limited "$limit" "$@"
  status=$?
  counted "$title" "$status" $((SECONDS - begun))
  return "$status"
}
counted() { # TITLE STATUS SECONDS
  if [ "$2" -eq 0 ]; then
    passed=$((passed + 1))
    note ok "$1" "$3"
  else
    failed=$((failed + 1))
    note FAILED "$1 (exit $2)" "$3"
  fi
}

# Steps beside those that follow, one after the other: what mostly waits, or has one core at work. `beside` names one,
# `begin_beside` starts them with the environment of that moment, and `joined` waits for all, shows what they said and
# counts them.
beside_titles=() beside_limits=() beside_commands=() beside_pid=""
beside() { # TITLE SECONDS COMMAND…
  beside_titles+=("$1") beside_limits+=("$2")
  shift 2
  beside_commands+=("$(printf '%q ' "$@")")
}
begin_beside() {
  run_beside &
  beside_pid=$!
}
run_beside() {
  local n begun running=""
  # A step that outlived this shell would hold its ports and folders.
  trap 'if [ -n "$running" ]; then kill "$running" 2> /dev/null; fi; exit 1' TERM
  for n in "${!beside_titles[@]}"; do
    begun=$SECONDS
    eval "exec timeout --kill-after=10 $(limit_of "${beside_limits[n]}") ${beside_commands[n]}" > "$work/beside-$n.log" 2>&1 &
    running=$!
    wait "$running"
    echo "$? $((SECONDS - begun))" > "$work/beside-$n"
  done
}
stop_beside() {
  if [ -n "$beside_pid" ]; then kill "$beside_pid" 2> /dev/null; fi
}
joined() {
  local n status seconds
  wait "$beside_pid"
  for n in "${!beside_titles[@]}"; do
    printf '\n=== %s\n' "${beside_titles[n]}"
    cat "$work/beside-$n.log" 2> /dev/null
    read -r status seconds 2> /dev/null < "$work/beside-$n" || status=1 seconds=0
    counted "${beside_titles[n]}" "$status" "$seconds"
  done
  beside_titles=() beside_limits=() beside_commands=() beside_pid=""
}
