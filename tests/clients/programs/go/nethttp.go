package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
)

var purchase = url.Values{
	"amount":             {"2000"},
	"currency":           {"usd"},
	"source":             {"tok_visa"},
	"metadata[order_id]": {"ord_1"},
}

// chargeWithHTTP posts with a client's defaults and a transport of its own.
func chargeWithHTTP(base string, options asked) (string, error) {
	client, err := clientOf(options)
	if err != nil {
		return "", err
	}
	if options.reused {
		request, err := http.NewRequest("GET", base+"/v1/charges?limit=1", nil)
		if err != nil {
			return "", err
		}
		if _, err := send(client, request); err != nil {
			return "", fmt.Errorf("warm-up: %w", err)
		}
	}
	body := strings.NewReader(purchase.Encode())
	request, err := http.NewRequest("POST", base+"/v1/charges", body)
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if options.key != "" {
		request.Header.Set("Idempotency-Key", options.key)
	}
	text, err := send(client, request)
	if err != nil {
		return "", err
	}
	var charge struct{ ID string }
	err = json.Unmarshal(text, &charge)
	return charge.ID, err
}

// clientOf returns a client with a transport of its own. Where the system keeps its authorities
// elsewhere, Go does not look into SSL_CERT_FILE.
func clientOf(options asked) (*http.Client, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	if name := os.Getenv("SSL_CERT_FILE"); name != "" {
		authority, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		pool := x509.NewCertPool()
		pool.AppendCertsFromPEM(authority)
		transport.TLSClientConfig = &tls.Config{RootCAs: pool}
	}
	return &http.Client{Timeout: options.timeout, Transport: transport}, nil
}

// send reads an answer to its end, so that the connection can be used again.
func send(client *http.Client, request *http.Request) ([]byte, error) {
	request.Header.Set("Authorization", "Bearer "+os.Getenv("STRIPE_API_KEY"))
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %d", response.StatusCode)
	}
	return text, nil
}
