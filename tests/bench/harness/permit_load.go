//go:build ignore

// permit_load stands for the agents of a user's cluster. It sends permit requests to any server of the agents' protocol
// (one POST for each, JSON both ways) and reports latencies as JSON. It needs only the standard library:
//
//	go build -o permit_load permit_load.go
//	permit_load -url http://127.0.0.1:10299/ -ns default -name 'vm-%d-0' -count 1000 -rate 100 -duration 60s
//
// Each VM alternates between -low and -high compute units. It has one request under way at a time, and reports the
// permit of its last reply as lastPermit, as an agent does.
//
// Open loop (-rate above 0): request k is due at start + k/rate, on VM k mod count, whether or not earlier ones have got
// a reply. "latency" counts from when the request was due, so that a stall counts for every request that was due
// meanwhile. "service" counts from when it was sent.
//
// Closed loop (-rate 0): -concurrency workers, each with its own VMs, send one request after the other.
//
// With -first-permit there is no load: it ends with the first permit of the first VM.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

var (
	url      = flag.String("url", "http://127.0.0.1:10299/", "where to POST")
	ns       = flag.String("ns", "default", "namespace of the pods")
	nameFmt  = flag.String("name", "vm-%d-0", "pod name with one %d")
	first    = flag.Int("first", 0, "first index")
	count    = flag.Int("count", 100, "number of VMs")
	podsFile = flag.String("pods", "", "file with one namespace/name a line, instead of -ns, -name and -count")
	rate     = flag.Float64("rate", 0, "requests per second, open loop; 0: closed loop")
	conc     = flag.Int("concurrency", 8, "workers of the closed loop")
	duration = flag.Duration("duration", 30*time.Second, "measured time")
	warmup   = flag.Duration("warmup", 5*time.Second, "time before, which is not reported")
	drain    = flag.Duration("drain", 15*time.Second, "open loop: the longest wait for replies after the end")
	proto    = flag.Int("proto", 7, "protoVersion")
	cuMilli  = flag.Int64("cu-milli", 250, "thousandths of a CPU in a compute unit")
	cuMem    = flag.Int64("cu-mem", 1<<30, "bytes in a compute unit")
	low      = flag.Int64("low", 1, "low amount in compute units")
	high     = flag.Int64("high", 2, "high amount in compute units")
	timeout  = flag.Duration("timeout", 10*time.Second, "of each request")
	mode     = flag.String("mode", "alternate", "alternate; or equal, which is always the low amount")
	prime    = flag.Bool("prime", true, "begin with a request of each VM for the low amount, without lastPermit, not reported")
	primeC   = flag.Int("prime-concurrency", 100, "number of these under way at once")
	once     = flag.Bool("first-permit", false, "only request for the first VM, each 10 ms until it is permitted, for a minute at most")
	out      = flag.String("out", "", "file to which the report is written as well")
	label    = flag.String("label", "", "copied to the report")
)

// ---- Amounts.

// amount is thousandths of a CPU, and bytes.
type amount struct{ milli, mem int64 }

func (a amount) json() string {
	return `{"vCPUs":` + cpuText(a.milli) + `,"mem":` + memText(a.mem) + `}`
}

func cpuText(milli int64) string {
	if milli%1000 == 0 {
		return fmt.Sprint(milli / 1000)
	}
	return fmt.Sprintf(`"%dm"`, milli)
}

func memText(b int64) string {
	for i, s := range []string{"Ti", "Gi", "Mi", "Ki"} {
		u := int64(1) << (40 - 10*i)
		if b >= u && b%u == 0 {
			return fmt.Sprintf(`"%d%s"`, b/u, s)
		}
	}
	return fmt.Sprintf(`"%d"`, b)
}

func parseCPU(r json.RawMessage) int64 {
	s := strings.Trim(string(r), `"`)
	var f float64
	if strings.HasSuffix(s, "m") {
		fmt.Sscanf(s, "%fm", &f)
		return int64(math.Round(f))
	}
	fmt.Sscanf(s, "%f", &f)
	return int64(math.Round(f * 1000))
}

func parseMem(r json.RawMessage) int64 {
	s := strings.Trim(string(r), `"`)
	unit := int64(1)
	for i, x := range []string{"Ki", "Mi", "Gi", "Ti"} {
		if strings.HasSuffix(s, x) {
			unit, s = 1<<(10*(i+1)), strings.TrimSuffix(s, x)
		}
	}
	var f float64
	fmt.Sscanf(s, "%g", &f)
	return int64(f * float64(unit))
}

// ---- One VM and its requests.

type vm struct {
	ns, name   string
	up         bool
	lastPermit *amount
	due        chan time.Time
}

// sample is one request. Its status is that of the reply; -1: there was none, -2: it broke off, -3: it is no permit.
type sample struct {
	due, sent, done time.Time
	up              bool
	status          int
	short           bool
}

var (
	client *http.Client
	errMu  sync.Mutex
	errs   = map[string]int{}
)

func readVMs() []*vm {
	var vms []*vm
	if *podsFile == "" {
		for i := range *count {
			vms = append(vms, &vm{ns: *ns, name: fmt.Sprintf(*nameFmt, *first+i)})
		}
		return vms
	}
	b, err := os.ReadFile(*podsFile)
	must(err)
	for _, l := range strings.Fields(string(b)) {
		n, p, _ := strings.Cut(l, "/")
		vms = append(vms, &vm{ns: n, name: p})
	}
	return vms
}

func (v *vm) next() amount {
	n := *low
	if *mode == "alternate" {
		v.up = !v.up
		if v.up {
			n = *high
		}
	}
	return amount{n * *cuMilli, n * *cuMem}
}

func (v *vm) request(want amount) []byte {
	last := "null"
	if v.lastPermit != nil {
		last = v.lastPermit.json()
	}
	metrics := `{"loadAvg1M":0.42}`
	if *proto < 7 {
		metrics = `{"loadAvg1M":0.42,"loadAvg5M":0.4,"memoryUsageBytes":1000000}`
	}
	pod := fmt.Sprintf(`{"namespace":%q,"name":%q}`, v.ns, v.name)
	return fmt.Appendf(nil, `{"protoVersion":%d,"pod":%s,"computeUnit":%s,"resources":%s,"lastPermit":%s,"metrics":%s}`,
		*proto, pod, amount{*cuMilli, *cuMem}.json(), want.json(), last, metrics)
}

// send sends one request; the zero time is due when it is sent.
func (v *vm) send(want amount, due time.Time) sample {
	body := v.request(want)
	s := sample{due: due, up: v.lastPermit != nil && want.milli > v.lastPermit.milli}
	req, err := http.NewRequest("POST", *url, bytes.NewReader(body))
	must(err)
	req.Header.Set("Content-Type", "application/json")
	s.sent = time.Now()
	if due.IsZero() {
		s.due = s.sent
	}
	resp, err := client.Do(req)
	if err != nil {
		s.done, s.status = time.Now(), -1
		return s
	}
	raw, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	s.done, s.status = time.Now(), resp.StatusCode
	if err != nil {
		s.status = -2
		return s
	}
	if s.status != 200 {
		countError(fmt.Sprintf("%d %s", s.status, raw))
		return s
	}
	var a struct {
		Permit struct {
			VCPUs json.RawMessage `json:"vCPUs"`
			Mem   json.RawMessage `json:"mem"`
		} `json:"permit"`
	}
	if json.Unmarshal(raw, &a) != nil {
		s.status = -3
		return s
	}
	p := amount{parseCPU(a.Permit.VCPUs), parseMem(a.Permit.Mem)}
	s.short = p != want
	v.lastPermit = &p
	return s
}

func countError(text string) {
	errMu.Lock()
	errs[text]++
	errMu.Unlock()
}

// ---- Loads.

func primeAll(vms []*vm) {
	free, wg := make(chan struct{}, *primeC), sync.WaitGroup{}
	for _, v := range vms {
		wg.Add(1)
		free <- struct{}{}
		go func() {
			defer func() { <-free; wg.Done() }()
			v.send(amount{*low * *cuMilli, *low * *cuMem}, time.Time{})
		}()
	}
	wg.Wait()
	fmt.Fprintln(os.Stderr, "primed; errors:", errs)
	errs = map[string]int{}
	for _, v := range vms { // a VM whose permit exceeds its request comes down with the next one
		v.up = v.lastPermit != nil && v.lastPermit.milli > *low**cuMilli
	}
	time.Sleep(3 * time.Second)
}

// run is the time of a load, and what came of the requests that were due in its measured part.
type run struct {
	start, from, to time.Time
	mu              sync.Mutex
	samples         []sample
	offered         int
	neverSent       atomic.Int64
}

func newRun() *run {
	start := time.Now().Add(200 * time.Millisecond)
	from := start.Add(*warmup)
	return &run{start: start, from: from, to: from.Add(*duration)}
}

func (r *run) keep(s sample) {
	if s.due.Before(r.from) || !s.due.Before(r.to) {
		return
	}
	r.mu.Lock()
	r.samples = append(r.samples, s)
	r.mu.Unlock()
}

func (r *run) openLoop(vms []*vm) {
	var wg sync.WaitGroup
	for _, v := range vms {
		v.due = make(chan time.Time, 100_000)
		wg.Add(1)
		go func() {
			defer wg.Done()
			for due := range v.due {
				if time.Now().After(r.to.Add(*drain)) {
					r.neverSent.Add(1)
					continue
				}
				r.keep(v.send(v.next(), due))
			}
		}()
	}
	gap := float64(time.Second) / *rate
	for k := 0; ; k++ {
		due := r.start.Add(time.Duration(float64(k) * gap))
		if !due.Before(r.to) {
			break
		}
		time.Sleep(time.Until(due))
		if !due.Before(r.from) {
			r.offered++
		}
		vms[k%len(vms)].due <- due
	}
	for _, v := range vms {
		close(v.due)
	}
	wg.Wait()
}

func (r *run) closedLoop(vms []*vm) {
	var wg sync.WaitGroup
	time.Sleep(time.Until(r.start))
	workers := min(*conc, len(vms))
	for w := range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := w; time.Now().Before(r.to); i += workers {
				if i >= len(vms) {
					i = w
				}
				r.keep(vms[i].send(vms[i].next(), time.Time{}))
			}
		}()
	}
	wg.Wait()
}

// ---- The report.

func round(x, unit float64) float64 { return math.Round(x*unit) / unit }

func percentiles(a []float64) map[string]float64 {
	if len(a) == 0 {
		return nil
	}
	sort.Float64s(a)
	sum := 0.0
	for _, x := range a {
		sum += x
	}
	q := func(p float64) float64 { return round(a[max(0, int(math.Ceil(p*float64(len(a))))-1)], 1000) }
	return map[string]float64{"n": float64(len(a)), "mean": round(sum/float64(len(a)), 1000), "p50": q(.5), "p90": q(.9),
		"p95": q(.95), "p99": q(.99), "p999": q(.999), "max": q(1)}
}

// latencies are those of the chosen samples, from when they were due, or from when they were sent.
func (r *run) latencies(sent bool, chosen func(sample) bool) map[string]float64 {
	var a []float64
	for _, s := range r.samples {
		since := s.due
		if sent {
			since = s.sent
		}
		if chosen(s) {
			a = append(a, float64(s.done.Sub(since).Microseconds())/1000)
		}
	}
	return percentiles(a)
}

func (r *run) report(vms int, loads []string) map[string]any {
	ok := func(s sample) bool { return s.status == 200 }
	status, short, good := map[string]int{}, 0, 0
	for _, s := range r.samples {
		status[fmt.Sprint(s.status)]++
		if s.short {
			short++
		}
		if ok(s) && s.done.Before(r.to) {
			good++
		}
	}
	return map[string]any{
		"label": *label, "url": *url, "vms": vms, "mode": *mode, "rate": *rate, "concurrency": *conc, "duration_s": duration.Seconds(),
		"proto": *proto, "cu": []int64{*cuMilli, *cuMem}, "low": *low, "high": *high, "offered": r.offered, "status": status,
		"errors": errs, "failed": len(r.samples) - status["200"], "not_full_permit": short, "never_sent": r.neverSent.Load(),
		"answered_ok_per_s": round(float64(good)/duration.Seconds(), 10),
		"latency_ms":        r.latencies(false, ok),
		"latency_up_ms":     r.latencies(false, func(s sample) bool { return ok(s) && s.up }),
		"latency_down_ms":   r.latencies(false, func(s sample) bool { return ok(s) && !s.up }),
		"latency_failed_ms": r.latencies(false, func(s sample) bool { return !ok(s) }),
		"service_ms":        r.latencies(true, ok),
		"loadavg_during":    loads,
	}
}

// watchLoad returns a function that ends it and returns the machine's load averages, one for each ten seconds.
func watchLoad() func() []string {
	var loads []string
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		t := time.NewTicker(10 * time.Second)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				b, _ := os.ReadFile("/proc/loadavg")
				loads = append(loads, strings.TrimSpace(string(b)))
			case <-end:
				return
			}
		}
	}()
	return func() []string {
		close(end)
		<-ended
		return loads
	}
}

// awaitPermit requests the low amount for one VM until it is permitted; the server may not even listen yet.
func awaitPermit(v *vm) {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if v.send(amount{*low * *cuMilli, *low * *cuMem}, time.Time{}).status == 200 {
			return
		}
	}
	must(fmt.Errorf("no permit within a minute: %v", errs))
}

// ---- The program.

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	flag.Parse()
	vms := readVMs()
	client = &http.Client{Timeout: *timeout, Transport: &http.Transport{
		MaxIdleConns: 0, MaxIdleConnsPerHost: len(vms) + *conc, DisableCompression: true,
		DialContext: (&net.Dialer{Timeout: 5 * time.Second}).DialContext}}
	if *once {
		awaitPermit(vms[0])
		return
	}
	if *prime {
		primeAll(vms)
	}
	loads := watchLoad()
	r := newRun()
	if *rate > 0 {
		r.openLoop(vms)
	} else {
		r.closedLoop(vms)
	}
	b, err := json.MarshalIndent(r.report(len(vms), loads()), "", " ")
	must(err)
	fmt.Println(string(b))
	if *out != "" {
		must(os.WriteFile(*out, append(b, '\n'), 0o644))
	}
}
