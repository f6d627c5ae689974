// A shop on stripe-go that knows no other server than Stripe: program safe|unsafe.
//
// It gives up on an answer after three seconds and asks again, twice. Safe is one key per order,
// unsafe a new one per attempt.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/stripe/stripe-go/v85"
)

const attempts = 3

func charge(client *stripe.Client, key string) (*stripe.Charge, error) {
	waiting, done := context.WithTimeout(context.Background(), 3*time.Second)
	defer done()
	params := &stripe.ChargeCreateParams{
		Amount:   stripe.Int64(2000),
		Currency: stripe.String("usd"),
		Metadata: map[string]string{"order_id": "ord_1"},
	}
	params.SetIdempotencyKey(key)
	if err := params.SetSource("tok_visa"); err != nil {
		return nil, err
	}
	return client.V1Charges.Create(waiting, params)
}

func main() {
	stripe.DefaultLeveledLogger = &stripe.LeveledLogger{Level: stripe.LevelNull}
	once := stripe.NewBackendsWithConfig(&stripe.BackendConfig{MaxNetworkRetries: stripe.Int64(0)})
	client := stripe.NewClient(os.Getenv("STRIPE_API_KEY"), stripe.WithBackends(once))
	for attempt := 1; attempt <= attempts; attempt++ {
		key := "order-ord_1"
		if os.Args[1] == "unsafe" {
			key = stripe.NewIdempotencyKey()
		}
		paid, err := charge(client, key)
		if err == nil {
			fmt.Println("paid by", paid.ID)
			return
		}
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(1)
}
