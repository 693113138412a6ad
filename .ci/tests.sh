# Runs of tests for .ci/run, which sets work, passed and failed, and has limited and note.
# shellcheck shell=bash

# A run of vitest: its tests are counted one by one, from its own report. Files of which a test failed are run once more by
# themselves. What passes then hung on chance or on its company: it is no failure, and the summary names it, to be mended.
# An error outside of all tests is one more failure, and stays one: it belongs to no file that could run once more.
tests() { # TITLE SECONDS COMMAND…
  local title=$1 limit=$2 begun=$SECONDS status good bad line report="$work/report.json"
  shift 2
  printf '\n=== %s\n' "$title"
  run_tests "$@"
  local again=() chance=() command=()
  if [ "$bad" -ne 0 ]; then mapfile -t again < <(reported files); fi
  if [ -n "$(reported unhandled)" ]; then again=(); fi
  # Where more files failed it was no chance.
  if [ "${#again[@]}" -ge 1 ] && [ "${#again[@]}" -le 3 ]; then
    mapfile -t chance < <(reported names)
    failures+=("$(reported failures)")
    local first_good=$good first_bad=$bad
    printf '\n=== %s, once more: %s\n' "$title" "${again[*]}"
    mapfile -t command < <(without_files "$@")
    run_tests "${command[@]}" "${again[@]}"
    if [ "$bad" -eq 0 ]; then good=$((first_good + first_bad)); else good=$first_good chance=(); fi
  fi
  if [ "$bad" -ne 0 ]; then failures+=("$(reported failures)"); fi
  passed=$((passed + good))
  failed=$((failed + bad))
  if [ "$bad" -eq 0 ]; then note ok "$title: $good tests" $((SECONDS - begun)); else
    note FAILED "$title: $good passed, $bad failed (exit $status)" $((SECONDS - begun))
  fi
  for line in "${chance[@]}"; do note CHANCE "passed when run once more: $line" 0; done
}
failures=()
run_tests() { # COMMAND…; sets status, good and bad
  rm -f "$report" "$report.unhandled"
  LOOPBOX_CI_UNHANDLED="$report.unhandled" limited "$limit" "$@" --reporter=default --reporter="$PWD/.ci/unhandled.mjs" \
    --reporter=json --outputFile.json="$report"
  status=$?
  read -r good bad <<< "$(reported counts || echo "0 0")"
  # A file that did not load, a limit that ran out, a run without a single test: no test failed, and yet it is no success.
  if [ "$bad" -eq 0 ] && { [ "$status" -ne 0 ] || [ "$good" -eq 0 ]; }; then bad=1; fi
}
reported() { node .ci/report.mjs "$report" "$1" 2> /dev/null; }
# A command of tests without the files or folders that it names: npm run NAME -- [--option…] [FILE…]
without_files() {
  local word options=no
  for word in "$@"; do
    case $options$word in
      no*) printf '%s\n' "$word"; if [ "$word" = -- ]; then options=yes; fi ;;
      yes-*) printf '%s\n' "$word" ;;
    esac
  done
}
