#!/bin/sh
# One charge with curl: curl.sh [--key K] [--timeout S] [--reused]
# --reused sends a harmless POST first, in the same process and so on the same connection.
set -eu

key= timeout=2 reused=
while [ $# -gt 0 ]; do
    case $1 in
        --key) key=$2; shift 2 ;;
        --timeout) timeout=$2; shift 2 ;;
        --reused) reused=yes; shift ;;
        *) echo "curl.sh: unknown argument $1" >&2; exit 2 ;;
    esac
done

set -- --silent --show-error --fail --output /dev/null --max-time "$timeout" --user "$STRIPE_API_KEY:" \
    --data amount=2000 --data currency=usd --data source=tok_visa \
    --data 'metadata[order_id]=ord_1' ${key:+--header "Idempotency-Key: $key"} \
    "$STRIPE_API_BASE/v1/charges"
if [ "$reused" ]; then
    set -- --silent --output /dev/null --user "$STRIPE_API_KEY:" \
        --data description=warm-up "$STRIPE_API_BASE/v1/customers" --next "$@"
fi
exec curl "$@"
