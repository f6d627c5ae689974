// One charge with Go's net/http or with stripe-go, on each server that is named:
//
//	program [--client http|stripe] [--reused] [--key K] [--timeout S] [URL ...]
//
// Without a URL it is STRIPE_API_BASE. The charges are made at once, each on connections of its
// own, and each is told in a line: its number, "ok" and the charge, or "ERR" and why. --reused
// sends a harmless GET first, on the same connection. The exit status is 1 where one failed.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

// asked is what the command line asks for.
type asked struct {
	reused  bool
	key     string
	timeout time.Duration
}

var clients = map[string]func(base string, options asked) (string, error){
	"http":   chargeWithHTTP,
	"stripe": chargeWithStripe,
}

func main() {
	var options asked
	name := flag.String("client", "http", "http or stripe")
	flag.BoolVar(&options.reused, "reused", false, "send a harmless GET first")
	flag.StringVar(&options.key, "key", "", "the idempotency key")
	seconds := flag.Float64("timeout", 2, "seconds")
	flag.Parse()
	options.timeout = time.Duration(*seconds * float64(time.Second))
	charge, known := clients[*name]
	if !known {
		fmt.Fprintf(os.Stderr, "program: unknown client %s\n", *name)
		os.Exit(2)
	}
	bases := flag.Args()
	if len(bases) == 0 {
		bases = []string{os.Getenv("STRIPE_API_BASE")}
	}
	if !all(bases, func(base string) (string, error) { return charge(base, options) }) {
		os.Exit(1)
	}
}

// all makes one charge with each base at once, tells of each and says whether all were made.
func all(bases []string, charge func(base string) (string, error)) bool {
	var telling sync.Mutex
	var running sync.WaitGroup
	made := true
	for number, base := range bases {
		running.Add(1)
		go func() {
			defer running.Done()
			id, err := charge(base)
			telling.Lock()
			defer telling.Unlock()
			if err == nil {
				fmt.Println(number, "ok", id)
				return
			}
			made = false
			fmt.Println(number, "ERR", strings.ReplaceAll(err.Error(), "\n", " "))
		}()
	}
	running.Wait()
	return made
}
