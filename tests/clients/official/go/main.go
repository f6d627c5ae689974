// stripe-go: one of each thing that a shop asks of Stripe, told as one line of JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/stripe/stripe-go/v85"
	"github.com/stripe/stripe-go/v85/webhook"
)

var (
	ctx    = context.Background()
	client = clientOf(os.Getenv("STRIPE_API_KEY"))
	facts  = map[string]any{}
)

func main() {
	charges()
	intents()
	pages()
	events()
	line, err := json.Marshal(facts)
	must(err)
	fmt.Println(string(line))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func clientOf(key string) *stripe.Client {
	config := &stripe.BackendConfig{
		URL:           stripe.String(os.Getenv("STRIPE_API_BASE")),
		LeveledLogger: &stripe.LeveledLogger{Level: stripe.LevelNull},
	}
	return stripe.NewClient(key, stripe.WithBackends(stripe.NewBackendsWithConfig(config)))
}

func purchase(amount int64) *stripe.ChargeCreateParams {
	return &stripe.ChargeCreateParams{
		Amount:   stripe.Int64(amount),
		Currency: stripe.String("usd"),
	}
}

func bought(amount int64, source string) *stripe.ChargeCreateParams {
	params := purchase(amount)
	must(params.SetSource(source))
	return params
}

func refusal(err error) *stripe.Error {
	var refused *stripe.Error
	if !errors.As(err, &refused) {
		panic(fmt.Sprintf("it was not refused: %v", err))
	}
	return refused
}

func orNull[T ~string](text T) any {
	if text == "" {
		return nil
	}
	return text
}

// told returns what every refusal tells.
func told(refused *stripe.Error) map[string]any {
	return map[string]any{
		"class":   fmt.Sprintf("%T", refused.Err),
		"status":  refused.HTTPStatusCode,
		"code":    orNull(refused.Code),
		"param":   orNull(refused.Param),
		"message": refused.Msg,
	}
}

func charges() {
	customer, err := client.V1Customers.Create(ctx, &stripe.CustomerCreateParams{
		Email:  stripe.String("jenny@example.com"),
		Source: stripe.String("tok_visa"),
	})
	must(err)
	params := purchase(2000)
	params.Customer = stripe.String(customer.ID)
	paid, err := client.V1Charges.Create(ctx, params)
	must(err)
	facts["paid"] = []any{paid.ID, paid.Amount, paid.Currency, paid.Paid, paid.Source.Card.Last4}
	expand := &stripe.ChargeRetrieveParams{}
	expand.AddExpand("customer")
	expand.AddExpand("balance_transaction")
	full, err := client.V1Charges.Retrieve(ctx, paid.ID, expand)
	must(err)
	facts["expanded"] = []any{
		full.Customer.Email, full.BalanceTransaction.Fee, full.BalanceTransaction.Net,
	}
	_, err = client.V1Charges.Create(ctx, bought(2000, "tok_chargeDeclinedInsufficientFunds"))
	declined := refusal(err)
	facts["declined"] = told(declined)
	facts["declined_charge"] = []any{declined.DeclineCode, declined.ChargeID}
	refusals()
	refunds(paid.ID)
}

func refusals() {
	first, second := bought(2000, "tok_visa"), bought(2001, "tok_visa")
	first.SetIdempotencyKey("ord_2")
	second.SetIdempotencyKey("ord_2")
	_, err := client.V1Charges.Create(ctx, first)
	must(err)
	_, err = client.V1Charges.Create(ctx, second)
	facts["mismatch"] = told(refusal(err))
	_, err = client.V1Charges.Retrieve(ctx, "ch_missing", nil)
	facts["missing"] = told(refusal(err))
	_, err = clientOf("nobody").V1Charges.Create(ctx, bought(2000, "tok_visa"))
	facts["stranger"] = told(refusal(err))
}

func refunds(charge string) {
	refund := func(amount int64) (*stripe.Refund, error) {
		return client.V1Refunds.Create(ctx, &stripe.RefundCreateParams{
			Charge: stripe.String(charge),
			Amount: stripe.Int64(amount),
		})
	}
	part, err := refund(500)
	must(err)
	facts["refund"] = []any{part.Charge.ID, part.Amount, part.Status}
	_, err = refund(1501)
	facts["beyond"] = told(refusal(err))
}

func terms() *stripe.PaymentIntentCreateParams {
	return &stripe.PaymentIntentCreateParams{
		Amount:             stripe.Int64(3000),
		Currency:           stripe.String("usd"),
		PaymentMethodTypes: stripe.StringSlice([]string{"card"}),
	}
}

func intents() {
	intent, err := client.V1PaymentIntents.Create(ctx, terms())
	must(err)
	paid, err := client.V1PaymentIntents.Confirm(ctx, intent.ID, &stripe.PaymentIntentConfirmParams{
		PaymentMethod: stripe.String("pm_card_visa"),
	})
	must(err)
	facts["intent"] = []any{intent.Status, paid.Status, paid.LatestCharge.ID, paid.AmountReceived}
	bad := terms()
	bad.PaymentMethod = stripe.String("pm_card_chargeDeclinedExpiredCard")
	bad.Confirm = stripe.Bool(true)
	_, err = client.V1PaymentIntents.Create(ctx, bad)
	declined := refusal(err)
	facts["intent_declined"] = told(declined)
	of := declined.PaymentIntent
	facts["intent_state"] = []any{of.Status, of.LatestCharge.ID, of.LastPaymentError.Code}
}

func pages() {
	for range 9 {
		_, err := client.V1Charges.Create(ctx, bought(2000, "tok_visa"))
		must(err)
	}
	listed := []string{}
	params := &stripe.ChargeListParams{}
	params.Limit = stripe.Int64(5)
	client.V1Charges.List(ctx, params).All(ctx)(func(charge *stripe.Charge, err error) bool {
		must(err)
		listed = append(listed, charge.ID)
		return true
	})
	facts["listed"] = listed
}

func events() {
	payload, err := os.ReadFile(os.Getenv("WEBHOOK_PAYLOAD"))
	must(err)
	signature, secret := os.Getenv("WEBHOOK_SIGNATURE"), os.Getenv("WEBHOOK_SECRET")
	event, err := webhook.ConstructEvent(payload, signature, secret)
	must(err)
	var about stripe.Charge
	must(json.Unmarshal(event.Data.Raw, &about))
	facts["event"] = []any{event.Type, about.Object, about.Amount}
	forged := append(payload, ' ')
	_, err = webhook.ConstructEvent(forged, signature, secret)
	facts["forged"] = err.Error()
	if !errors.Is(err, webhook.ErrNoValidSignature) {
		panic(err)
	}
}
