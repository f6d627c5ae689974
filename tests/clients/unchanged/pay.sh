#!/bin/sh
# A shop on curl that knows no other server than Stripe: pay.sh safe|unsafe. It gives up on an
# answer after three seconds and asks again, twice. Safe is one key per order, unsafe a new one per
# attempt.
set -u

for attempt in 1 2 3; do
    case $1 in
        safe) key=order-ord_1 ;;
        unsafe) key=order-ord_1-$attempt ;;
    esac
    curl --silent --show-error --fail --max-time 3 --user "$STRIPE_API_KEY:" \
        --header "Idempotency-Key: $key" --data amount=2000 --data currency=usd \
        --data source=tok_visa --data 'metadata[order_id]=ord_1' \
        https://api.stripe.com/v1/charges && exit 0
done
echo "nobody answered" >&2
exit 1
