-- A POST with a body of the size in BODY; prints one line of figures: requests per second, median
-- and 99th percentile in µs, failed ones.
local size = tonumber(os.getenv("BODY"))
wrk.method = "POST"
wrk.path = "/v1/chat/completions"
wrk.headers["Content-Type"] = "application/json"
local words = string.rep("a", size)
wrk.body = '{"model":"any","messages":[{"role":"user","content":"' .. words .. '"}]}'

function done(summary, latency, requests)
  local failed = summary.errors.connect + summary.errors.read + summary.errors.write
    + summary.errors.timeout
  io.write(string.format("FIGURES\t%.0f\t%.0f\t%.0f\t%d\t%d\n",
    summary.requests / summary.duration * 1e6, latency:percentile(50), latency:percentile(99),
    failed, summary.errors.status))
end
