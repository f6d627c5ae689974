#!/bin/sh
# One charge with curl on each server that is named, each in a process of its own:
# curl.sh [--key K] [--timeout S] [--reused] [--retry] [--retry-all] [URL ...]
# --reused sends a harmless POST first, in the same process and so on the same connection.
# The exit status is curl's, that of the last charge to fail.
set -u

key='' timeout=2 reused='' retry=''
while [ $# -gt 0 ]; do
    case $1 in
        --key) key=$2; shift 2 ;;
        --timeout) timeout=$2; shift 2 ;;
        --reused) reused=yes; shift ;;
        --retry) retry='--retry 3 --retry-delay 1'; shift ;;
        --retry-all) retry='--retry 3 --retry-delay 1 --retry-all-errors'; shift ;;
        -*) echo "curl.sh: unknown argument $1" >&2; exit 2 ;;
        *) break ;;
    esac
done
[ $# -gt 0 ] || set -- "$STRIPE_API_BASE"

charge() { # NUMBER URL
    number=$1 base=$2
    # shellcheck disable=SC2086  # --retry and its number are words
    set -- --silent --fail $retry --max-time "$timeout" --user "$STRIPE_API_KEY:" \
        --data amount=2000 --data currency=usd --data source=tok_visa \
        --data 'metadata[order_id]=ord_1' ${key:+--header "Idempotency-Key: $key"} \
        "$base/v1/charges"
    if [ "$reused" ]; then
        set -- --silent --output /dev/null --user "$STRIPE_API_KEY:" \
            --data description=warm-up "$base/v1/customers" --next "$@"
    fi
    answer=$(curl "$@")
    status=$?
    id=$(echo "$answer" | sed -n 's/^ *"id": "\(ch_.*\)",$/\1/p')
    case $status$id$answer in
        0ch_*'}') echo "$number ok $id" ;;
        *) echo "$number ERR $status" ;;
    esac
    return $status
}

number=0 running=''
for base; do
    charge $number "$base" &
    running="$running $!" number=$((number + 1))
done
status=0
for one in $running; do
    wait "$one" || status=$?
done
exit $status
