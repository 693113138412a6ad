# Servers for tests, on loopback: for .ci/run and .ci/movedHosts.sh.
# shellcheck shell=bash

free_ports() { # COUNT; prints as many on one line
  node -e '
    const servers = Array.from({ length: process.argv[1] }, () => require("net").createServer().listen(0, "127.0.0.1"))
    setTimeout(() => { console.log(servers.map((s) => s.address().port).join(" ")); servers.forEach((s) => s.close()) }, 200)' "$1"
}

# What .ci/swift.sh has started in a folder.
stop_swift() { # FOLDER
  local file
  for file in "$1"/*.pid; do
    if [ -e "$file" ]; then kill "$(cat "$file")" 2> /dev/null; fi
  done
}

# What .ci/citus.sh has started in a folder. SIGINT is PostgreSQL's fast shutdown; the coordinator goes first, which the others
# answer to.
stop_citus() { # FOLDER
  local file pid
  for file in "$1"/n*/postmaster.pid; do
    if [ -e "$file" ]; then
      pid=$(head -1 "$file")
      kill -INT "$pid" 2> /dev/null
      for _ in $(seq 100); do kill -0 "$pid" 2> /dev/null || break; sleep 0.1; done
    fi
  done
}
