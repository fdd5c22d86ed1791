//go:build ignore

// pod_load makes nodes and pods in a real API server, and measures how fast a scheduler binds the pods. It needs only
// the standard library:
//
//	go build -o pod_load pod_load.go
//	pod_load -api https://127.0.0.1:6443 -token TOKEN -nodes 1000 -pods 5000 -scheduler default-scheduler
//
// All pods have requests of their own, and the schedulers take turns. Pods and nodes that are there are deleted first. A
// pod's wait begins when the API server has answered its creation, and ends with the first event of
// a watch that shows its node.
package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

var (
	api       = flag.String("api", "", "URL of the API server")
	token     = flag.String("token", "", "bearer token")
	nodes     = flag.Int("nodes", 1000, "number of nodes")
	pods      = flag.Int("pods", 5000, "number of pods")
	scheduler = flag.String("scheduler", "default-scheduler", "schedulerName of the pods, or several with commas")
	percent   = flag.Int("percent", 67, "how much of the room of all nodes the pods take")
	keeps     = flag.Bool("keep-nodes", false, "use the nodes of an earlier run")
	at        = flag.String("until", "", "file whose existence begins the pods; empty: at once")
	limit     = flag.Duration("limit", 3*time.Minute, "the longest time until all pods are bound")
	out       = flag.String("out", "", "file to which the report is written as well")
)

const (
	writers   = 32
	cpuMilli  = 16000
	memory    = 64 << 30
	podsPath  = "/api/v1/namespaces/default/pods"
	nodesPath = "/api/v1/nodes"
)

var client = &http.Client{Transport: &http.Transport{
	TLSClientConfig:     &tls.Config{InsecureSkipVerify: true},
	MaxIdleConnsPerHost: writers,
	ForceAttemptHTTP2:   true,
}}

func fail(format string, values ...any) {
	fmt.Fprintf(os.Stderr, "pod_load: "+format+"\n", values...)
	os.Exit(1)
}

func request(method, path, body string) *http.Response {
	r, err := http.NewRequest(method, *api+path, bytes.NewReader([]byte(body)))
	if err != nil {
		fail("%v", err)
	}
	r.Header.Set("Authorization", "Bearer "+*token)
	r.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(r)
	if err != nil {
		fail("%s %s: %v", method, path, err)
	}
	return answer
}

func send(method, path, body string, expected int) []byte {
	answer := request(method, path, body)
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	if answer.StatusCode != expected {
		fail("%s %s was answered %d: %.300s", method, path, answer.StatusCode, text)
	}
	return text
}

// each runs the work for 0 to count-1, by all writers.
func each(count int, work func(int)) {
	var next atomic.Int64
	var running sync.WaitGroup
	for w := 0; w < writers; w++ {
		running.Add(1)
		go func() {
			defer running.Done()
			for i := int(next.Add(1)) - 1; i < count; i = int(next.Add(1)) - 1 {
				work(i)
			}
		}()
	}
	running.Wait()
}

func makeNode(i int) {
	send("POST", nodesPath, fmt.Sprintf(`{"metadata":{"name":"node-%d","labels":{"kubernetes.io/hostname":"node-%d"}},
		"status":{"allocatable":{"cpu":"%dm","memory":"%d","pods":"110"},"capacity":{"cpu":"%dm","memory":"%d","pods":"110"},
		"conditions":[{"type":"Ready","status":"True"}]}}`, i, i, cpuMilli, memory, cpuMilli, memory), 201)
}

// requests are different for each pod.
func requests(i int) (milli, mem int) {
	mean := *percent * cpuMilli * *nodes / *pods / 100
	milli = mean/2 + i%mean
	return milli, milli*(memory/cpuMilli) + i
}

type pod struct {
	created, bound time.Time
	node           string
}

type load struct {
	sync.Mutex
	pods  map[string]*pod
	bound int
	all   chan struct{}
}

func (l *load) seen(name, node string) {
	l.Lock()
	defer l.Unlock()
	p := l.pods[name]
	if node == "" || p == nil || p.node != "" {
		return
	}
	p.node, p.bound = node, time.Now()
	if l.bound++; l.bound == *pods {
		close(l.all)
	}
}

// watch goes on where it ended.
func (l *load) watch(version string) {
	for {
		answer := request("GET", podsPath+"?watch=true&resourceVersion="+version, "")
		if answer.StatusCode != 200 {
			fail("the watch was answered %d", answer.StatusCode)
		}
		lines := bufio.NewReaderSize(answer.Body, 1<<20)
		for line, err := lines.ReadBytes('\n'); err == nil; line, err = lines.ReadBytes('\n') {
			var event struct {
				Type   string
				Object struct {
					Metadata struct{ Name, ResourceVersion string }
					Spec     struct{ NodeName string }
				}
			}
			if err := json.Unmarshal(line, &event); err != nil || event.Type == "ERROR" {
				fail("the watch sent %.300s", line)
			}
			version = event.Object.Metadata.ResourceVersion
			l.seen(event.Object.Metadata.Name, event.Object.Spec.NodeName)
		}
		answer.Body.Close()
	}
}

func (l *load) create(i int) {
	milli, mem := requests(i)
	schedulers := strings.Split(*scheduler, ",")
	name := fmt.Sprintf("pod-%d", i)
	l.Lock()
	p := &pod{created: time.Now()}
	l.pods[name] = p
	l.Unlock()
	send("POST", podsPath, fmt.Sprintf(`{"metadata":{"name":"%s"},"spec":{"schedulerName":"%s","containers":[
		{"name":"main","image":"none","resources":{"requests":{"cpu":"%dm","memory":"%d"}}}]}}`, name, schedulers[i%len(schedulers)], milli, mem), 201)
}

func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[int(q*float64(len(sorted)-1))]
}

// report is written once all pods are bound, or the limit is over.
func (l *load) report(begin time.Time) map[string]any {
	l.Lock()
	defer l.Unlock()
	var waits []float64
	var last time.Time
	used := map[string]int{}
	for i := 0; i < *pods; i++ {
		p := l.pods[fmt.Sprintf("pod-%d", i)]
		if p.node == "" {
			continue
		}
		waits = append(waits, float64(p.bound.Sub(p.created).Microseconds())/1000)
		if p.bound.After(last) {
			last = p.bound
		}
		milli, _ := requests(i)
		used[p.node] += milli
	}
	sort.Float64s(waits)
	over := 0
	for _, milli := range used {
		if milli > cpuMilli {
			over++
		}
	}
	return map[string]any{
		"bound":        l.bound,
		"pods_per_s":   float64(l.bound) / last.Sub(begin).Seconds(),
		"wait_ms":      map[string]float64{"p50": quantile(waits, 0.5), "p99": quantile(waits, 0.99)},
		"nodes_used":   len(used),
		"nodes_over":   over,
		"last_bound_s": last.Sub(begin).Seconds(),
	}
}

func main() {
	flag.Parse()
	// Without a kubelet pods are deleted at once only with no grace.
	send("DELETE", podsPath+"?gracePeriodSeconds=0", "", 200)
	if !*keeps {
		send("DELETE", nodesPath+"?gracePeriodSeconds=0", "", 200)
		each(*nodes, makeNode)
	}
	var list struct {
		Metadata struct{ ResourceVersion string }
	}
	if err := json.Unmarshal(send("GET", podsPath, "", 200), &list); err != nil {
		fail("%v", err)
	}
	l := &load{pods: map[string]*pod{}, all: make(chan struct{})}
	go l.watch(list.Metadata.ResourceVersion)
	fmt.Println("nodes are made")
	for *at != "" {
		if _, err := os.Stat(*at); err == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	begin := time.Now()
	each(*pods, l.create)
	created := time.Since(begin).Seconds()
	select {
	case <-l.all:
	case <-time.After(*limit):
	}
	report := l.report(begin)
	report["created_s"] = created
	text, _ := json.MarshalIndent(report, "", "  ")
	fmt.Println(string(text))
	if *out != "" {
		if err := os.WriteFile(*out, text, 0o644); err != nil {
			fail("%v", err)
		}
	}
}
