#!/bin/bash
# The host's tests on hosts that were moved to a distributed database and a bucket, by the commands of docs/operations
# (examples/http-host/test/support/movedTo.ts), on servers of their own on loopback that end with it: Citus, as .ci/citus.sh starts
# it, and Swift's S3, as .ci/swift.sh does.
#   npm exec -c 'bash .ci/movedHosts.sh [file or folder of tests…]'
# Tests that a moved host has nothing of are left out, with the reason. Exits 1 if anything failed.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
# shellcheck source=.ci/servers.sh
. .ci/servers.sh
files=("$@")
if [ "${#files[@]}" -eq 0 ]; then files=(examples/http-host/test); fi
citus=$(mktemp -d "${TMPDIR:-/tmp}/loopbox-citus-XXXXXX")
swift=$(mktemp -d /tmp/loopbox-swift-XXXXXX)
finish() {
  stop_citus "$citus"
  stop_swift "$swift"
  rm -rf "$citus" "$swift"
}
trap finish EXIT
trap 'exit 1' INT TERM

read -r -a ports < <(free_ports 7)
bash .ci/citus.sh "$citus" "${ports[@]:0:3}" > "$citus/log" 2>&1 || { cat "$citus/log"; exit 1; }
bash .ci/swift.sh "$swift" "${ports[@]:3:4}" > "$swift/log" 2>&1 || { cat "$swift/log"; exit 1; }
LOOPBOX_TEST_HOST_DATABASE=$(tail -1 "$citus/log")
export LOOPBOX_TEST_HOST_DATABASE LOOPBOX_TEST_HOST_S3="http://127.0.0.1:${ports[3]}" LOOPBOX_TEST_S3="http://127.0.0.1:${ports[3]}"
# What is about a distributed database itself, and how one gets there, has hosts of its own.
status=0
for suite in test test:slow test:browser; do
  npm run "$suite" -- "${files[@]}" --passWithNoTests || status=1
done
exit "$status"
