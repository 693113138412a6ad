#!/bin/bash
# OpenStack Swift with its S3 middleware on loopback, with the bucket `loopbox` in it, for the tests of S3BlobStore:
#   bash .ci/swift.sh <folder without a space in its path> <four free ports: proxy, account, container, object>
# Pids lie in the folder. Fails where Swift isn't installed or doesn't start.
set -eu
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
W=$1 PORT=$2 ACCOUNT=$3 CONTAINER=$4 OBJECT=$5
mkdir -p $W/etc $W/dev/d1 $W/cache; cd $W/etc
cat > swift.conf <<X
[swift-hash]
swift_hash_path_suffix = loopbox
swift_hash_path_prefix = loopbox
[storage-policy:0]
name = one
default = yes
[swift-constraints]
max_file_size = 5368709122
X
for s in "account:$ACCOUNT" "container:$CONTAINER" "object:$OBJECT"; do n=${s%%:*}; p=${s##*:}
  [ -f $n.builder ] || { swift-ring-builder $n.builder create 4 1 0 >/dev/null; swift-ring-builder $n.builder add r1z1-127.0.0.1:$p/d1 1 >/dev/null; swift-ring-builder $n.builder rebalance >/dev/null 2>&1 || true; }
  cat > $n-server.conf <<X
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $p
swift_dir = $W/etc
devices = $W/dev
mount_check = false
workers = 1
user = $(id -un)
log_level = WARNING
log_name = $n
[pipeline:main]
pipeline = $n-server
[app:$n-server]
use = egg:swift#$n
[$n-replicator]
[$n-auditor]
[$n-updater]
X
done
cat > proxy-server.conf <<X
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $PORT
swift_dir = $W/etc
workers = 1
user = $(id -un)
log_level = WARNING
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
check_bucket_owner = false
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
X
for n in account container object proxy; do swift-$n-server $W/etc/$n-server.conf > $W/$n.log 2>&1 & echo $! > $W/$n.pid; done
for _ in $(seq 80); do curl -fsS http://127.0.0.1:$PORT/healthcheck >/dev/null 2>&1 && break; sleep 0.5; done
cd "$ROOT"
# The proxy answers before the servers behind it do.
make_bucket() {
  node --input-type=module -e '
  const { CreateBucketCommand, S3Client } = await import("@aws-sdk/client-s3")
  const credentials = { accessKeyId: "test:tester", secretAccessKey: "testing" }
  const client = new S3Client({ region: "us-east-1", endpoint: process.argv[1], forcePathStyle: true, credentials })
  await client.send(new CreateBucketCommand({ Bucket: "loopbox" }))' "http://127.0.0.1:$PORT" 2> $W/bucket.log
}
for _ in $(seq 20); do if make_bucket; then exit 0; fi; sleep 0.5; done
cat $W/bucket.log
exit 1
