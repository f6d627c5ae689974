package main

import (
	"context"
	"fmt"
	"os"

	"github.com/stripe/stripe-go/v85"
)

// chargeWithStripe has stripe-go make the charge, with its defaults but for the time-out.
func chargeWithStripe(base string, options asked) (string, error) {
	over, err := clientOf(options)
	if err != nil {
		return "", err
	}
	config := &stripe.BackendConfig{
		URL:           stripe.String(base),
		HTTPClient:    over,
		LeveledLogger: &stripe.LeveledLogger{Level: stripe.LevelNull},
	}
	backends := stripe.NewBackendsWithConfig(config)
	ctx, client := context.Background(), stripe.NewClient(os.Getenv("STRIPE_API_KEY"), stripe.WithBackends(backends))
	if options.reused {
		limit := &stripe.ChargeListParams{}
		limit.Limit = stripe.Int64(1)
		var failed error
		client.V1Charges.List(ctx, limit).All(ctx)(func(_ *stripe.Charge, err error) bool {
			failed = err
			return false
		})
		if failed != nil {
			return "", fmt.Errorf("warm-up: %w", failed)
		}
	}
	params := &stripe.ChargeCreateParams{
		Amount:   stripe.Int64(2000),
		Currency: stripe.String("usd"),
		Metadata: map[string]string{"order_id": "ord_1"},
	}
	if err := params.SetSource("tok_visa"); err != nil {
		return "", err
	}
	if options.key != "" {
		params.SetIdempotencyKey(options.key)
	}
	charge, err := client.V1Charges.Create(ctx, params)
	if err != nil {
		return "", err
	}
	return charge.ID, nil
}
