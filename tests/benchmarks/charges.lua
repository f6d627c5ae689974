-- POST /v1/charges for wrk. Arguments: a prefix, and how many keys there are (0: a fresh one each).
local prefix, known, count = "", 0, 0
local headers = {
  ["Authorization"] = "Bearer sk_test_benchmark",
  ["Content-Type"] = "application/x-www-form-urlencoded",
  ["User-Agent"] = "Stripe/v1 Benchmark",
}

function init(args)
  prefix, known = args[1], tonumber(args[2])
end

function request()
  local n = known > 0 and count % known or count
  count = count + 1
  headers["Idempotency-Key"] = "key-" .. prefix .. "-" .. n
  local body = "amount=2000&currency=usd&source=tok_visa&metadata[order_id]=ord_" .. prefix .. "_" .. n
  return wrk.format("POST", "/v1/charges", headers, body)
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format("RESULT %d %d %d %d\n", summary.requests, summary.duration,
    latency:percentile(99), e.connect + e.read + e.write + e.timeout + e.status))
end
