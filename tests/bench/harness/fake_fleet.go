//go:build ignore

// fake_fleet stands for what a user's cluster has around an autoscaler, except the API server, which is a real one:
//
//   - nodes, VirtualMachine objects and their runner pods; there is no kubelet;
//   - the controller of VMs, which copies annotations from a VM to its pod and the size from its spec to its status;
//   - the guests, with their metrics and monitors;
//   - if requested, a scheduler that permits everything at once.
//
// It needs only the standard library:
//
//	go build -o fake_fleet fake_fleet.go
//	fake_fleet -vms 100 -setup -mirror                                     # permit_load sends to the scheduler meanwhile
//	fake_fleet -vms 50 -setup -mirror -guests -probe 200 -probe-rate 2     # upscale requests, until patch and notification
//	fake_fleet -vms 1000 -setup -mirror -guests -probe 1000 -probe-rate 0  # the same, all of them at once
//	fake_fleet -vms 1000 -setup -mirror -plain-patches 1000                # the API server without an autoscaler
//	fake_fleet -vms 0 -stub-scheduler 127.0.0.1:10299                      # the scheduler alone
//
// VM number i answers at 127.(10+i/62500).(i/250%250).(i%250+1), on the same ports as all others.
package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"math/rand"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

var (
	api   = flag.String("api", "https://127.0.0.1:16443", "API server")
	token = flag.String("token", "tok-admin", "bearer token")
	ca    = flag.String("ca", "", "file with the API server's CA; empty: it is not verified")
	ns    = flag.String("ns", "default", "namespace of VMs and pods")
	out   = flag.String("out", "", "file to which the report is written as well")

	nodes     = flag.Int("nodes", 3, "number of nodes, which are named node-0 and so on")
	nodeCPU   = flag.String("node-cpu", "64", "CPU of each node")
	nodeMem   = flag.String("node-mem", "256Gi", "memory of each node")
	vms       = flag.Int("vms", 10, "number of VMs, which are named vm-0 and so on, and their pods vm-0-0 and so on")
	maxCU     = flag.Int("max-cu", 4, "maximum in units of 250m and 1Gi; minimum and start are one unit")
	sched     = flag.String("scheduler", "autoscale-scheduler", "schedulerName of the VMs")
	bindTo    = flag.String("bind-node", "", "node on which pods are created; each: on all in turn; empty: a scheduler binds them")
	schedPod  = flag.String("scheduler-pod", "", "make a Ready pod in kube-system with this IP, labelled name=<scheduler>")
	doSetup   = flag.Bool("setup", false, "make nodes, VMs and pods, wait until they are bound, and mark them Running")
	doClean   = flag.Bool("clean", false, "delete all VMs and pods of the namespace first")
	doMirror  = flag.Bool("mirror", false, "copy annotations of VMs to pods, and their spec to their status")
	mirrorDly = flag.Duration("mirror-delay", 0, "wait before each copy, as a slower controller would")
	scaleDly  = flag.Duration("scale-delay", 0, "wait before the status follows the spec")
	stub      = flag.String("stub-scheduler", "", "listen at host:port and permit everything")

	doGuests = flag.Bool("guests", false, "serve metrics and monitors")
	metPort  = flag.Int("metrics-port", 19100, "port of each guest's metrics")
	monPort  = flag.Int("monitor-port", 10301, "port of each guest's monitor")
	load1    = flag.Float64("load", 0.1, "host_load1 and host_load5 of each guest")
	usedMem  = flag.Int64("used-mem", 200<<20, "used memory of each guest in bytes")
	extra    = flag.Int("extra-metrics", 200, "further metrics in each reply, which make it as large as a real one")

	probe       = flag.Int("probe", 0, "number of upscale requests whose patch and notification are timed")
	probeRate   = flag.Float64("probe-rate", 3, "upscale requests per second; 0: all at once, one of each VM")
	probeWait   = flag.Duration("probe-settle", 20*time.Second, "wait before the first upscale request or plain patch")
	probeEnd    = flag.Duration("probe-end", time.Minute, "the longest wait for the effects of the last one")
	repeatGap   = flag.Duration("repeat", time.Second, "time after which a guest repeats its request until it is notified; 0: never")
	plain       = flag.Int("plain-patches", 0, "instead of upscale requests, change the size of so many VMs")
	plainAtOnce = flag.Int("plain-at-once", 32, "number of plain patches under way at once")
	runFor      = flag.Duration("for", 0, "stop after this time; 0: at a signal, or when the probes are done")
)

const (
	gi       = int64(1) << 30
	unitCPU  = int64(250) // thousandths of a CPU; the memory of a unit is 1 GiB
	vmPath   = "/apis/vm.neon.tech/v1/namespaces/%s/virtualmachines"
	merge    = "application/merge-patch+json"
	burstMax = 90 * time.Second // the longest wait until every guest may send in a burst
)

type m = map[string]any

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// parallel calls f with 0 to n-1, from so many workers.
func parallel(n, workers int, f func(int)) {
	var wg sync.WaitGroup
	var next atomic.Int64
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		}()
	}
	wg.Wait()
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// stats is a list of times in milliseconds.
type stats struct {
	sync.Mutex
	ms []float64
}

func (s *stats) add(d time.Duration) {
	s.Lock()
	s.ms = append(s.ms, float64(d.Microseconds())/1000)
	s.Unlock()
}

func (s *stats) count() int {
	s.Lock()
	defer s.Unlock()
	return len(s.ms)
}

func (s *stats) report() m {
	s.Lock()
	a := append([]float64(nil), s.ms...)
	s.Unlock()
	if len(a) == 0 {
		return nil
	}
	sort.Float64s(a)
	q := func(p float64) float64 { return a[max(0, int(math.Ceil(p*float64(len(a))))-1)] }
	return m{"n": len(a), "p50": q(.5), "p90": q(.9), "p99": q(.99), "max": q(1)}
}

// ---- The API client.

// Watches have a client of their own, which has no timeout.
var client, watchClient *http.Client

func initClients() {
	conf := &tls.Config{InsecureSkipVerify: *ca == ""}
	if *ca != "" {
		b, err := os.ReadFile(*ca)
		must(err)
		conf.RootCAs = x509.NewCertPool()
		conf.RootCAs.AppendCertsFromPEM(b)
	}
	transport := func() http.RoundTripper {
		return &http.Transport{TLSClientConfig: conf.Clone(), ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 32}
	}
	client = &http.Client{Transport: transport(), Timeout: 30 * time.Second}
	watchClient = &http.Client{Transport: transport()}
}

// call returns the status and the body of the reply; -1 and the error where there was none.
func call(method, path, contentType string, body any) (int, []byte) {
	var r io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		must(err)
		r = bytes.NewReader(b)
	}
	q, err := http.NewRequest(method, *api+path, r)
	must(err)
	if contentType == "" {
		contentType = "application/json"
	}
	q.Header.Set("Authorization", "Bearer "+*token)
	q.Header.Set("Content-Type", contentType)
	a, err := client.Do(q)
	if err != nil {
		return -1, []byte(err.Error())
	}
	defer a.Body.Close()
	b, _ := io.ReadAll(a.Body)
	return a.StatusCode, b
}

func allVMs() string          { return fmt.Sprintf(vmPath, *ns) }
func oneVM(n string) string   { return allVMs() + "/" + n }
func allPods() string         { return "/api/v1/namespaces/" + *ns + "/pods" }
func podOf(vm string) string  { return vm + "-0" }
func vmName(i int) string     { return fmt.Sprintf("vm-%d", i) }
func nodeName(i int) string   { return fmt.Sprintf("node-%d", i) }
func cpuText(n int64) string  { return fmt.Sprintf("%dm", n) }
func memText(cu int64) string { return fmt.Sprintf("%dGi", cu) }

// ---- Set-up.

func clean() {
	now := m{"kind": "DeleteOptions", "apiVersion": "v1", "gracePeriodSeconds": 0}
	call("DELETE", allPods()+"?gracePeriodSeconds=0", "", now)
	call("DELETE", allVMs(), "", nil)
	time.Sleep(time.Second)
}

func setup() {
	start := time.Now()
	since := func() float64 { return time.Since(start).Seconds() }
	for i := range *nodes {
		makeNode(nodeName(i))
	}
	if *schedPod != "" {
		makeSchedulerPod()
	}
	parallel(*vms, 16, makeVM)
	log.Printf("%d VMs and pods made in %.1f s", *vms, since())
	where := awaitBinding(start)
	log.Printf("all bound %.1f s after the start", since())
	parallel(*vms, 16, func(i int) { markRunning(i, where[podOf(vmName(i))]) })
	log.Printf("all Running %.1f s after the start", since())
}

func makeNode(name string) {
	const long = "2026-01-01T00:00:00Z"
	res := m{"cpu": *nodeCPU, "memory": *nodeMem, "pods": "5000"}
	// The POST has the status as well: the reference's scoring crashes on a node that it first sees without room.
	status := m{"capacity": res, "allocatable": res, "conditions": []m{{"type": "Ready", "status": "True", "reason": "Fake",
		"message": "fake", "lastHeartbeatTime": long, "lastTransitionTime": long}}}
	call("POST", "/api/v1/nodes", "", m{"apiVersion": "v1", "kind": "Node",
		"metadata": m{"name": name, "labels": m{"kubernetes.io/hostname": name}}, "status": status})
	if c, b := call("PATCH", "/api/v1/nodes/"+name+"/status", merge, m{"status": status}); c != 200 {
		log.Fatalf("node: %d %s", c, b)
	}
}

// makeSchedulerPod makes the pod by which agents find the scheduler.
func makeSchedulerPod() {
	const pods, name = "/api/v1/namespaces/kube-system/pods", "fake-scheduler"
	call("DELETE", pods+"/"+name+"?gracePeriodSeconds=0", "", nil)
	c, b := call("POST", pods, "", m{"apiVersion": "v1", "kind": "Pod",
		"metadata": m{"name": name, "labels": m{"name": *sched}},
		"spec":     m{"nodeName": nodeName(0), "containers": []m{{"name": "c", "image": "example.invalid/s"}}}})
	if c > 201 {
		log.Fatalf("scheduler pod: %d %s", c, b)
	}
	call("PATCH", pods+"/"+name+"/status", merge, podStatus(*schedPod))
}

// makeVM makes VM number i and its runner pod.
func makeVM(i int) {
	name, highest := vmName(i), int64(*maxCU)
	bounds := fmt.Sprintf(`{"min":{"cpu":"250m","mem":"1Gi"},"max":{"cpu":%q,"mem":%q}}`,
		cpuText(highest*unitCPU), memText(highest))
	c, b := call("POST", allVMs(), "", m{"apiVersion": "vm.neon.tech/v1", "kind": "VirtualMachine",
		"metadata": m{"name": name, "labels": m{"autoscaling.neon.tech/enabled": "true", "fake-fleet": "vm"},
			"annotations": m{"autoscaling.neon.tech/bounds": bounds}},
		"spec": m{"schedulerName": *sched, "cpuScalingMode": "SysfsScaling", "guest": m{
			"cpus":           m{"min": "250m", "use": "250m", "max": cpuText(highest * unitCPU)},
			"memorySlotSize": "1Gi", "memorySlots": m{"min": 1, "use": 1, "max": *maxCU},
			"rootDisk": m{"image": "example.invalid/vm:1", "size": "1Gi"},
			"ports":    []m{{"port": *metPort}, {"port": *monPort}}}}})
	if c != 201 {
		log.Fatalf("VM: %d %s", c, b)
	}
	var v vmObj
	must(json.Unmarshal(b, &v))
	spec := m{"schedulerName": *sched, "restartPolicy": "Never", "containers": []m{{"name": "neonvm-runner",
		"image": "example.invalid/r:1", "resources": m{"requests": m{"cpu": "10m", "memory": "16Mi"}}}}}
	switch *bindTo {
	case "":
	case "each":
		spec["nodeName"] = nodeName(i % *nodes)
	default:
		spec["nodeName"] = *bindTo
	}
	usage, resources := vmAnnotations(1)
	c, b = call("POST", allPods(), "", m{"apiVersion": "v1", "kind": "Pod", "spec": spec, "metadata": m{"name": podOf(name),
		"labels": m{"autoscaling.neon.tech/enabled": "true", "fake-fleet": "vm", "app.kubernetes.io/name": "NeonVM",
			"vm.neon.tech/name": name},
		"annotations": m{"autoscaling.neon.tech/bounds": bounds, "vm.neon.tech/usage": usage, "vm.neon.tech/resources": resources},
		"ownerReferences": []m{{"apiVersion": "vm.neon.tech/v1", "kind": "VirtualMachine", "name": name, "uid": v.Metadata.UID,
			"controller": true, "blockOwnerDeletion": true}}}})
	if c != 201 {
		log.Fatalf("pod: %d %s", c, b)
	}
}

// vmAnnotations returns what the controller of VMs writes to a VM of so many units.
func vmAnnotations(cu int64) (usage, resources string) {
	cpu := cpuText(cu * unitCPU)
	if cu*unitCPU%1000 == 0 {
		cpu = fmt.Sprint(cu * unitCPU / 1000)
	}
	use := cpu
	if strings.HasSuffix(cpu, "m") {
		use = fmt.Sprintf("%q", cpu)
	}
	usage = fmt.Sprintf(`{"cpu":%q,"memory":%q}`, cpu, memText(cu))
	cpus := fmt.Sprintf(`{"min":"250m","max":%q,"use":%s}`, cpuText(int64(*maxCU)*unitCPU), use)
	slots := fmt.Sprintf(`{"min":1,"max":%d,"use":%d}`, *maxCU, cu)
	resources = fmt.Sprintf(`{"cpus":%s,"memorySlots":%s,"memorySlotSize":"1Gi"}`, cpus, slots)
	return
}

// awaitBinding returns the node of each pod.
func awaitBinding(start time.Time) map[string]string {
	where := map[string]string{}
	for {
		c, b := call("GET", allPods()+"?labelSelector=fake-fleet%3Dvm&resourceVersion=0", "", nil)
		var l struct {
			Items []struct {
				Metadata struct{ Name string }
				Spec     struct{ NodeName string }
			}
		}
		if c == 200 {
			must(json.Unmarshal(b, &l))
		}
		for _, p := range l.Items {
			if p.Spec.NodeName != "" {
				where[p.Metadata.Name] = p.Spec.NodeName
			}
		}
		if len(where) >= *vms {
			return where
		}
		if time.Since(start) > 3*time.Minute {
			log.Fatalf("only %d of %d bound", len(where), *vms)
		}
		time.Sleep(300 * time.Millisecond)
	}
}

func markRunning(i int, node string) {
	name := vmName(i)
	if c, b := call("PATCH", allPods()+"/"+podOf(name)+"/status", merge, podStatus(ip(i))); c != 200 {
		log.Fatalf("pod status: %d %s", c, b)
	}
	c, b := call("PATCH", oneVM(name)+"/status", merge, m{"status": m{"phase": "Running", "podName": podOf(name), "podIP": ip(i),
		"node": node, "cpus": "250m", "memorySize": "1Gi", "restartCount": 0}})
	if c != 200 {
		log.Fatalf("VM status: %d %s", c, b)
	}
}

func podStatus(ip string) m {
	conditions := []m{}
	for _, t := range []string{"Ready", "ContainersReady", "Initialized", "PodScheduled"} {
		conditions = append(conditions, m{"type": t, "status": "True"})
	}
	return m{"status": m{"phase": "Running", "podIP": ip, "podIPs": []m{{"ip": ip}}, "hostIP": "127.0.0.1",
		"startTime": "2026-01-01T00:00:00Z", "conditions": conditions}}
}

// ---- The watch of the VMs.

type vmObj struct {
	Metadata struct {
		Name, UID   string
		Annotations map[string]string
	}
	Spec struct {
		Guest          struct{ Cpus struct{ Use json.RawMessage } }
		TargetRevision json.RawMessage
	}
	Status struct{ Phase string }
}

// milli reads a quantity of CPU, in thousandths.
func milli(r json.RawMessage) int64 {
	s := strings.Trim(string(r), `"`)
	var f float64
	if strings.HasSuffix(s, "m") {
		fmt.Sscanf(s, "%fm", &f)
		return int64(math.Round(f))
	}
	fmt.Sscanf(s, "%f", &f)
	return int64(math.Round(f * 1000))
}

var eventsSeen atomic.Int64

func watchVMs(ctx context.Context, on func(vmObj, time.Time)) {
	for ctx.Err() == nil {
		version, err := listVMs(on)
		if err == nil {
			err = watchFrom(ctx, version, on)
		}
		if err != nil && ctx.Err() == nil {
			log.Printf("watch: %v", err)
			sleep(ctx, time.Second)
		}
	}
}

func listVMs(on func(vmObj, time.Time)) (version string, err error) {
	c, b := call("GET", allVMs(), "", nil)
	if c != 200 {
		return "", fmt.Errorf("list: %d %s", c, b)
	}
	var l struct {
		Metadata struct{ ResourceVersion string }
		Items    []vmObj
	}
	must(json.Unmarshal(b, &l))
	for _, v := range l.Items {
		on(v, time.Now())
	}
	return l.Metadata.ResourceVersion, nil
}

// watchFrom returns when the watch ends, without an error where the API server has ended it.
func watchFrom(ctx context.Context, version string, on func(vmObj, time.Time)) error {
	q, err := http.NewRequestWithContext(ctx, "GET", *api+allVMs()+"?watch=1&resourceVersion="+version, nil)
	must(err)
	q.Header.Set("Authorization", "Bearer "+*token)
	a, err := watchClient.Do(q)
	if err != nil {
		return err
	}
	defer a.Body.Close()
	if a.StatusCode != 200 {
		return errors.New(a.Status)
	}
	lines := bufio.NewReaderSize(a.Body, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return nil
		}
		at := time.Now()
		var e struct {
			Type   string
			Object json.RawMessage
		}
		if json.Unmarshal(line, &e) != nil || e.Type == "ERROR" {
			return fmt.Errorf("%.200s", line)
		}
		var v vmObj
		if (e.Type == "ADDED" || e.Type == "MODIFIED") && json.Unmarshal(e.Object, &v) == nil {
			eventsSeen.Add(1)
			on(v, at)
		}
	}
}

// ---- The controller of VMs.

var (
	mirrors    stats
	mirrorErrs atomic.Int64
)

// mirror copies what changes in VMs, each VM's changes one after the other.
type mirror struct {
	sync.Mutex
	want, have map[string]*copied
	busy       map[string]bool
	queue      chan string
}

// copied is what the controller copies of one VM.
type copied struct {
	annotations map[string]string
	use         int64 // thousandths of a CPU
	revision    string
	running     bool
	seen        time.Time
}

func newMirror() *mirror {
	k := &mirror{want: map[string]*copied{}, have: map[string]*copied{}, busy: map[string]bool{}}
	k.queue = make(chan string, 1<<20)
	for range 64 {
		go func() {
			for name := range k.queue {
				k.copyOne(name)
			}
		}()
	}
	return k
}

func same(a, b *copied) bool {
	if a == nil || b == nil || a.use != b.use || a.revision != b.revision || len(a.annotations) != len(b.annotations) {
		return false
	}
	for x, y := range a.annotations {
		if b.annotations[x] != y {
			return false
		}
	}
	return true
}

func (k *mirror) see(v vmObj, at time.Time) {
	c := &copied{annotations: map[string]string{}, use: milli(v.Spec.Guest.Cpus.Use), revision: string(v.Spec.TargetRevision),
		running: v.Status.Phase != "", seen: at}
	for x, y := range v.Metadata.Annotations {
		if x != "kubectl.kubernetes.io/last-applied-configuration" {
			c.annotations[x] = y
		}
	}
	c.annotations["vm.neon.tech/usage"], c.annotations["vm.neon.tech/resources"] = vmAnnotations(c.use / unitCPU)
	name := v.Metadata.Name
	k.Lock()
	defer k.Unlock()
	if k.have[name] == nil { // what the set-up or an earlier run wrote
		k.have[name] = &copied{annotations: map[string]string{}, use: c.use, revision: c.revision}
	}
	k.want[name] = c
	if !k.busy[name] && !same(c, k.have[name]) {
		k.busy[name] = true
		k.queue <- name
	}
}

func (k *mirror) copyOne(name string) {
	k.Lock()
	want, have := k.want[name], k.have[name]
	k.Unlock()
	time.Sleep(*mirrorDly)
	ok := copyAnnotations(name, want, have)
	if ok && want.running && (want.use != have.use || want.revision != have.revision) {
		time.Sleep(*scaleDly)
		copySize(name, want)
	}
	k.Lock()
	if ok {
		k.have[name] = want
	}
	again := !same(k.want[name], k.have[name])
	k.busy[name] = again
	k.Unlock()
	if again {
		if !ok {
			time.Sleep(100 * time.Millisecond)
		}
		k.queue <- name
	}
}

func copyAnnotations(name string, want, have *copied) bool {
	changed := m{}
	for x, y := range want.annotations {
		if have.annotations[x] != y {
			changed[x] = y
		}
	}
	if len(changed) == 0 {
		return true
	}
	if c, b := call("PATCH", allPods()+"/"+podOf(name), merge, m{"metadata": m{"annotations": changed}}); c != 200 {
		mirrorErrs.Add(1)
		log.Printf("mirror %s: %d %.200s", name, c, b)
		return false
	}
	mirrors.add(time.Since(want.seen))
	return true
}

func copySize(name string, want *copied) {
	status := m{"cpus": cpuText(want.use), "memorySize": memText(want.use / unitCPU)}
	if want.revision != "" && want.revision != "null" {
		status["currentRevision"] = json.RawMessage(want.revision)
	}
	call("PATCH", oneVM(name)+"/status", merge, m{"status": status})
}

// ---- The guests.

// guest is one VM from within: its monitor's session, and what became of its last probe.
type guest struct {
	sync.Mutex
	conn      net.Conn
	lastID    int
	connected time.Time // zero before the handshake is done
	use       int64     // thousandths of a CPU, as last seen in the spec
	lowSince  time.Time // zero while the VM has more than one unit

	probes    int
	probeSent time.Time // zero before the first probe
	patchSeen time.Time // zero until the patch of that probe was seen
	notified  time.Time // zero until the guest was notified of more memory
}

const (
	websocketKey  = "Sec-WebSocket-Key"
	websocketUUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
	textFrame     = 1
	closeFrame    = 8
	highBit       = 128 // the last frame of a message; also, a frame with a mask
)

var (
	guests                           []*guest
	scrapes, health, upN, downN      atomic.Int64
	sessions, repeats                atomic.Int64
	toPatch, toNotify, patchToNotify stats
	metricsBody                      []byte
)

func ip(i int) string { return fmt.Sprintf("127.%d.%d.%d", 10+i/62500, i/250%250, i%250+1) }

// index returns the number of the guest at this address; -1 for an address that is not a guest's.
func index(r *http.Request) int {
	b := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr).IP.To4()
	if b == nil || b[0] != 127 || b[1] < 10 || b[3] == 0 {
		return -1
	}
	return (int(b[1])-10)*62500 + int(b[2])*250 + int(b[3]) - 1
}

func serveGuests() {
	makeMetrics()
	for port, serve := range map[int]http.HandlerFunc{*metPort: metrics, *monPort: monitor} {
		l, err := net.Listen("tcp4", fmt.Sprintf("0.0.0.0:%d", port)) // all of loopback; other addresses get 403
		must(err)
		go func() {
			must(http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if index(r) < 0 {
					http.Error(w, "loopback only", 403)
					return
				}
				serve(w, r)
			})))
		}()
	}
}

func makeMetrics() {
	var b bytes.Buffer
	for i := range *extra {
		fmt.Fprintf(&b, "# HELP other_%d a further metric\n# TYPE other_%d counter\nother_%d{collector=\"host\",host=\"vm\"} %d\n",
			i, i, i, i*7919)
	}
	gauge := func(name string, v float64) {
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s gauge\n%s %g\n", name, strings.ReplaceAll(name, "_", " "), name, name, v)
	}
	gauge("host_load1", *load1)
	gauge("host_load5", *load1)
	gauge("host_memory_total_bytes", float64(gi))
	gauge("host_memory_available_bytes", float64(gi-*usedMem))
	gauge("host_memory_cached_bytes", 100<<20)
	metricsBody = b.Bytes()
}

func metrics(w http.ResponseWriter, _ *http.Request) {
	scrapes.Add(1)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4")
	w.Write(metricsBody)
}

// ---- The monitors of the guests.

// monitor serves one session; it ends an older one of the same guest.
func monitor(w http.ResponseWriter, r *http.Request) {
	i, key := index(r), r.Header.Get(websocketKey)
	if i >= len(guests) || key == "" {
		http.Error(w, "no monitor, or no websocket", 404)
		return
	}
	c, rw, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	sum := sha1.Sum([]byte(key + websocketUUID))
	fmt.Fprintf(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
		"Sec-WebSocket-Accept: %s\r\n\r\n", base64.StdEncoding.EncodeToString(sum[:]))
	g := guests[i]
	g.open(c)
	defer g.close(c)
	if op, _, err := readFrame(rw.Reader); err != nil || op != textFrame {
		return
	}
	if g.write(`{"version":1}`) != nil {
		return
	}
	g.Lock()
	g.connected = time.Now()
	g.Unlock()
	for {
		op, p, err := readFrame(rw.Reader)
		if err != nil || op == closeFrame {
			return
		}
		if op == textFrame {
			g.receive(i, p, time.Now())
		}
	}
}

func (g *guest) open(c net.Conn) {
	sessions.Add(1)
	g.Lock()
	defer g.Unlock()
	if g.conn != nil {
		g.conn.Close()
	}
	g.conn, g.lastID, g.connected = c, 1, time.Time{}
}

func (g *guest) close(c net.Conn) {
	sessions.Add(-1)
	c.Close()
	g.Lock()
	defer g.Unlock()
	if g.conn == c {
		g.conn, g.connected = nil, time.Time{}
	}
}

// receive replies to a message of the agent; each downscale is approved.
func (g *guest) receive(i int, text []byte, at time.Time) {
	var x struct {
		Type    string
		ID      int64
		Content struct{ Granted struct{ Mem int64 } }
	}
	if err := json.Unmarshal(text, &x); err != nil {
		log.Printf("vm-%d: %v: %s", i, err, text)
		return
	}
	switch x.Type {
	case "HealthCheck":
		health.Add(1)
		g.write(fmt.Sprintf(`{"type":"HealthCheck","id":%d}`, x.ID))
	case "UpscaleNotification":
		upN.Add(1)
		g.seeNotification(x.Content.Granted.Mem, at)
		g.write(fmt.Sprintf(`{"type":"UpscaleConfirmation","id":%d}`, x.ID))
	case "DownscaleRequest":
		downN.Add(1)
		g.write(fmt.Sprintf(`{"type":"DownscaleResult","Ok":true,"Status":"ok","id":%d}`, x.ID))
	default:
		log.Printf("vm-%d: %s", i, text)
	}
}

func (g *guest) write(text string) error {
	head := []byte{highBit | textFrame, byte(len(text))}
	if len(text) >= 126 {
		head = []byte{highBit | textFrame, 126, byte(len(text) >> 8), byte(len(text))}
	}
	g.Lock()
	defer g.Unlock()
	if g.conn == nil {
		return errors.New("not connected")
	}
	_, err := g.conn.Write(append(head, text...))
	return err
}

func readFrame(r *bufio.Reader) (op byte, p []byte, err error) {
	var head [2]byte
	if _, err = io.ReadFull(r, head[:]); err != nil {
		return
	}
	n := uint64(head[1] & 127)
	switch n {
	case 126:
		var x [2]byte
		_, err = io.ReadFull(r, x[:])
		n = uint64(binary.BigEndian.Uint16(x[:]))
	case 127:
		var x [8]byte
		_, err = io.ReadFull(r, x[:])
		n = binary.BigEndian.Uint64(x[:])
	}
	if err != nil {
		return
	}
	if n > 1<<20 {
		return 0, nil, errors.New("frame too long")
	}
	var key [4]byte
	masked := head[1]&highBit != 0
	if masked {
		if _, err = io.ReadFull(r, key[:]); err != nil {
			return
		}
	}
	p = make([]byte, n)
	if _, err = io.ReadFull(r, p); err != nil {
		return
	}
	if masked {
		for i := range p {
			p[i] ^= key[i&3]
		}
	}
	return head[0] & 15, p, nil
}

// ---- Probes: upscale requests whose effects are timed.

func seeSize(v vmObj, at time.Time) {
	var i int
	if n, _ := fmt.Sscanf(v.Metadata.Name, "vm-%d", &i); n != 1 || i >= len(guests) {
		return
	}
	g, use := guests[i], milli(v.Spec.Guest.Cpus.Use)
	g.Lock()
	defer g.Unlock()
	if use == g.use {
		return
	}
	g.lowSince = time.Time{}
	if use == unitCPU {
		g.lowSince = at
	}
	if use > g.use && g.use != 0 && !g.probeSent.IsZero() && g.patchSeen.IsZero() {
		g.patchSeen = at
		toPatch.add(at.Sub(g.probeSent))
		g.addPatchToNotify()
	}
	g.use = use
}

// seeNotification counts only if there is more memory than the one unit from which each probe is sent.
func (g *guest) seeNotification(memory int64, at time.Time) {
	g.Lock()
	defer g.Unlock()
	if memory <= gi || g.probeSent.IsZero() || !g.notified.IsZero() {
		return
	}
	g.notified = at
	toNotify.add(at.Sub(g.probeSent))
	g.addPatchToNotify()
}

// addPatchToNotify adds a negative time where the notification was first: it may overtake the event of the watch.
func (g *guest) addPatchToNotify() {
	if !g.patchSeen.IsZero() && !g.notified.IsZero() {
		patchToNotify.add(g.notified.Sub(g.patchSeen))
	}
}

// ready tells whether a probe may be sent: the VM has rested, and its last probe is done or was given up.
func (g *guest) ready() bool {
	since := func(t time.Time, d time.Duration) bool { return !t.IsZero() && time.Since(t) > d }
	done := g.probeSent.IsZero() || since(g.probeSent, 30*time.Second) ||
		!g.patchSeen.IsZero() && !g.notified.IsZero() && since(g.probeSent, 4*time.Second)
	return g.conn != nil && since(g.lowSince, 2*time.Second) && since(g.connected, 5*time.Second) && done
}

// begin starts the time of a probe.
func (g *guest) begin(at time.Time) {
	g.probes++
	g.probeSent, g.patchSeen, g.notified = at, time.Time{}, time.Time{}
}

// send sends an upscale request if the guest is ready.
func (g *guest) send() bool {
	g.Lock()
	if !g.ready() {
		g.Unlock()
		return false
	}
	g.begin(time.Now())
	n, id := g.probes, g.newID()
	g.Unlock()
	if g.write(upscaleRequest(id)) != nil {
		return false
	}
	if *repeatGap > 0 {
		time.AfterFunc(*repeatGap, func() { g.repeat(n) })
	}
	return true
}

// repeat sends the request of probe n once more, as a monitor does each second until it is notified of more memory.
func (g *guest) repeat(n int) {
	g.Lock()
	if g.probes != n || !g.notified.IsZero() {
		g.Unlock()
		return
	}
	id := g.newID()
	g.Unlock()
	if g.write(upscaleRequest(id)) == nil {
		repeats.Add(1)
	}
	time.AfterFunc(*repeatGap, func() { g.repeat(n) })
}

func (g *guest) newID() int {
	g.lastID += 2
	return g.lastID
}

func upscaleRequest(id int) string { return fmt.Sprintf(`{"type":"UpscaleRequest","id":%d}`, id) }

// runProbes returns how many upscale requests or plain patches were sent.
func runProbes(ctx context.Context) (sent int) {
	sleep(ctx, *probeWait)
	switch {
	case ctx.Err() != nil:
	case *plain > 0:
		sent = sendPlainPatches()
	case *probeRate == 0:
		sent = sendAtOnce(ctx)
	default:
		sent = sendInTurn(ctx)
	}
	seen := func() bool { return toPatch.count() >= sent && (*plain > 0 || toNotify.count() >= sent) }
	for t := time.Now(); !seen() && time.Since(t) < *probeEnd && ctx.Err() == nil; {
		sleep(ctx, 100*time.Millisecond)
	}
	return sent
}

func sendAtOnce(ctx context.Context) (sent int) {
	all := min(*probe, len(guests))
	for t := time.Now(); countReady() < all && time.Since(t) < burstMax && ctx.Err() == nil; {
		sleep(ctx, 200*time.Millisecond)
	}
	for _, g := range guests[:all] {
		if g.send() {
			sent++
		}
	}
	log.Printf("%d upscale requests of %d sent at once", sent, all)
	return sent
}

func countReady() (n int) {
	for _, g := range guests {
		g.Lock()
		if g.ready() {
			n++
		}
		g.Unlock()
	}
	return n
}

func sendInTurn(ctx context.Context) (sent int) {
	gap := time.Duration(float64(time.Second) / *probeRate)
	for next := time.Now(); sent < *probe && ctx.Err() == nil; next = next.Add(gap) {
		sleep(ctx, time.Until(next))
		first := rand.Intn(len(guests))
		for j := range guests {
			if guests[(first+j)%len(guests)].send() {
				sent++
				break
			}
		}
	}
	return sent
}

// sendPlainPatches gives VMs their second unit, and returns how many patches were accepted.
func sendPlainPatches() int {
	n := min(*plain, len(guests))
	start := time.Now()
	for _, g := range guests[:n] {
		g.Lock()
		g.begin(start)
		g.Unlock()
	}
	size := m{"spec": m{"guest": m{"cpus": m{"use": cpuText(2 * unitCPU)}, "memorySlots": m{"use": 2}}}}
	var accepted atomic.Int64
	parallel(n, *plainAtOnce, func(i int) {
		if c, b := call("PATCH", oneVM(vmName(i)), merge, size); c == 200 {
			accepted.Add(1)
		} else {
			log.Printf("plain patch of %s: %d %.200s", vmName(i), c, b)
		}
	})
	log.Printf("%d plain patches of %d accepted after %.1f s", accepted.Load(), n, time.Since(start).Seconds())
	return int(accepted.Load())
}

// ---- The scheduler.

func serveScheduler() {
	must(http.ListenAndServe(*stub, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Resources json.RawMessage }
		b, _ := io.ReadAll(io.LimitReader(r.Body, 16<<10))
		if json.Unmarshal(b, &q) != nil {
			http.Error(w, "bad JSON", 400)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"permit":%s,"migrate":null}`, q.Resources)
	})))
}

// ---- The program.

func main() {
	flag.Parse()
	initClients()
	signalled, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx := signalled
	if *doClean {
		clean()
	}
	for range *vms {
		guests = append(guests, &guest{lastID: 1})
	}
	if *doGuests {
		serveGuests()
	}
	if *stub != "" {
		go serveScheduler()
	}
	if *doSetup {
		goOn := context.AfterFunc(ctx, func() { os.Exit(1) }) // a signal ends the set-up at once
		setup()
		goOn()
	}
	if !*doMirror && !*doGuests && *stub == "" {
		return
	}
	if *doMirror || *doGuests {
		startWatch(ctx)
	}
	if *runFor > 0 {
		c, cancel := context.WithTimeout(ctx, *runFor)
		defer cancel()
		ctx = c
	}
	sent := 0
	if *probe > 0 || *plain > 0 {
		sent = runProbes(ctx)
	} else {
		log.Print("serving")
		<-ctx.Done()
	}
	printReport(sent)
	if signalled.Err() != nil && (*probe > 0 || *plain > 0) {
		log.Fatal("ended by a signal before the probes were done")
	}
}

func startWatch(ctx context.Context) {
	on := seeSize
	if *doMirror {
		k := newMirror()
		on = func(v vmObj, at time.Time) {
			seeSize(v, at)
			k.see(v, at)
		}
	}
	go watchVMs(ctx, on)
}

func printReport(sent int) {
	load, _ := os.ReadFile("/proc/loadavg")
	b, err := json.MarshalIndent(m{"vms": *vms, "probes_sent": sent, "probe_rate": *probeRate, "probes_repeated": repeats.Load(),
		"request_to_patch_event_ms": toPatch.report(), "request_to_notification_ms": toNotify.report(),
		"patch_event_to_notification_ms": patchToNotify.report(), "scrapes": scrapes.Load(), "scrape_bytes": len(metricsBody),
		"health_checks": health.Load(), "upscale_notifications": upN.Load(), "downscale_requests": downN.Load(),
		"monitor_connections": sessions.Load(), "vm_events": eventsSeen.Load(), "mirror_ms": mirrors.report(),
		"mirror_errors": mirrorErrs.Load(), "loadavg": strings.TrimSpace(string(load))}, "", " ")
	must(err)
	fmt.Println(string(b))
	if *out != "" {
		must(os.WriteFile(*out, append(b, '\n'), 0o644))
	}
}
