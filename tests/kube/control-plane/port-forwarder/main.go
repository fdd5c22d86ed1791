// A kubelet that only forwards ports: port-forwarder ADDRESS CERT KEY POD=PORT...
// A stream to any port of a pod goes to the port of this machine that is named for the pod.
package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"k8s.io/cri-streaming/pkg/streaming/portforward"
)

const (
	idle    = time.Minute
	created = 30 * time.Second
)

type forwarder map[string]string

func (ports forwarder) PortForward(_ context.Context, pod string, _ string, _ int32, stream io.ReadWriteCloser) error {
	port, known := ports[pod]
	if !known {
		return fmt.Errorf("no port is named for the pod %s", pod)
	}
	connection, err := net.Dial("tcp", "127.0.0.1:"+port)
	if err != nil {
		return err
	}
	defer connection.Close()
	go func() {
		io.Copy(connection, stream)
		connection.(*net.TCPConn).CloseWrite()
	}()
	_, err = io.Copy(stream, connection)
	return err
}

func (ports forwarder) ServeHTTP(reply http.ResponseWriter, request *http.Request) {
	path := strings.Split(request.URL.Path, "/")
	if len(path) < 4 || path[1] != "portForward" {
		http.NotFound(reply, request)
		return
	}
	options, err := portforward.NewV4Options(request)
	if err != nil {
		http.Error(reply, err.Error(), http.StatusBadRequest)
		return
	}
	portforward.ServePortForward(
		reply, request, ports, path[3], "", options, idle, created, portforward.SupportedProtocols)
}

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: port-forwarder ADDRESS CERT KEY POD=PORT...")
		os.Exit(2)
	}
	ports := forwarder{}
	for _, pair := range os.Args[4:] {
		pod, port, _ := strings.Cut(pair, "=")
		ports[pod] = port
	}
	fmt.Fprintln(os.Stderr, http.ListenAndServeTLS(os.Args[1], os.Args[2], os.Args[3], ports))
	os.Exit(1)
}
