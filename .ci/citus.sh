#!/bin/bash
# A distributed PostgreSQL on loopback for the tests: a coordinator and two workers of PostgreSQL 15 with the extension
# Citus, which know each other in the database `loopbox`:
#   bash .ci/citus.sh <folder without a space in its path> <three free ports: coordinator, worker, worker>
# Run again with the same folder and ports it starts what does not run. Each server's data lies in <folder>/n0, n1, n2; stop
# one with SIGINT to the pid in the first line of its postmaster.pid. Fails where the extension isn't installed.
set -eu
W=$1
shift
PORTS=("$@")
[ "${#PORTS[@]}" -eq 3 ] || { echo "three ports are wanted: coordinator, worker, worker"; exit 2; }
BIN=/usr/lib/postgresql/15/bin
if [ ! -x $BIN/pg_config ] || [ ! -e "$($BIN/pg_config --sharedir)/extension/citus.control" ]; then
  echo "no extension Citus for PostgreSQL 15 here"
  exit 1
fi
mkdir -p "$W"
as_server() { "$@"; }
if [ "$(id -u)" -eq 0 ]; then
  chown nobody "$W"
  as_server() { setpriv --reuid=nobody --regid=nogroup --clear-groups "$@"; }
fi
# That account may not be able to enter the folder of the clone.
cd "$W"
for i in 0 1 2; do
  if [ ! -d "$W/n$i" ]; then
    as_server $BIN/initdb -D "$W/n$i" -U loopbox --auth=trust --encoding=UTF8 --locale=C.UTF-8 > /dev/null
    as_server tee -a "$W/n$i/postgresql.conf" > /dev/null << X
port = ${PORTS[$i]}
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 300
max_prepared_transactions = 300
max_worker_processes = 64
wal_level = logical
fsync = off
synchronous_commit = off
full_page_writes = off
shared_buffers = 256MB
shared_preload_libraries = 'citus'
citus.node_conninfo = 'sslmode=disable'
log_min_messages = warning
log_line_prefix = '%m [%p] %d '
X
  fi
  as_server $BIN/pg_ctl -D "$W/n$i" status > /dev/null || as_server $BIN/pg_ctl -D "$W/n$i" -l "$W/n$i.log" -w start > /dev/null
done
ask() { # NODE DATABASE STATEMENT
  psql -X -q -A -t -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "${PORTS[$1]}" -U loopbox -d "$2" -c "$3"
}
for i in 0 1 2; do
  [ "$(ask $i postgres "SELECT count(*) FROM pg_database WHERE datname = 'loopbox'")" = 1 ] || {
    PGOPTIONS="-c citus.enable_create_database_propagation=off" ask $i postgres "CREATE DATABASE loopbox"
  }
  ask $i loopbox "SET client_min_messages = error; CREATE EXTENSION IF NOT EXISTS citus"
done
ask 0 loopbox "SELECT citus_set_coordinator_host('127.0.0.1', ${PORTS[0]})" > /dev/null
for i in 1 2; do ask 0 loopbox "SELECT citus_add_node('127.0.0.1', ${PORTS[$i]})" > /dev/null; done
echo "postgresql://loopbox@127.0.0.1:${PORTS[0]}/loopbox"
