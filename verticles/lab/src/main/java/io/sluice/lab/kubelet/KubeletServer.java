package io.sluice.lab.kubelet;

import io.sluice.lab.kubelet.core.ContainerLoad;
import io.sluice.units.ScaledPodKeys;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;

/**
 * Serves the samples of containers over TLS, in the format of a kubelet and with the times at which they were taken.
 * The caller's token is not checked.
 */
final class KubeletServer {
    private static final String CADVISOR = "/metrics/cadvisor";
    private static final int NOT_FOUND = 404;

    private final Vertx vertx;
    private final String node;
    private final Map<String, ContainerLoad.Sample> samples = new TreeMap<>();
    private HttpServer server;

    KubeletServer(Vertx vertx, String node) {
        this.vertx = vertx;
        this.node = node;
    }

    /** Listens at a free port of that address, and returns the port. */
    Future<Integer> listen(String address) {
        return vertx.executeBlocking(() -> KubeletCertificate.selfSigned(
                        node, address, InstantSource.system().instant()))
                .compose(certificate -> {
                    server = vertx.createHttpServer(
                            new HttpServerOptions().setSsl(true).setKeyCertOptions(certificate));
                    return server.requestHandler(this::answer).listen(0, address);
                })
                .map(HttpServer::actualPort);
    }

    Future<Void> close() {
        return server == null ? Future.succeededFuture() : server.close();
    }

    /** From now on this is the sample of that pod. */
    void took(String pod, ContainerLoad.Sample sample) {
        samples.put(pod, sample);
    }

    private void answer(HttpServerRequest request) {
        var text = new StringBuilder();
        if (request.method() == HttpMethod.GET && ScaledPodKeys.SAMPLES_PATH.equals(request.path())) {
            samples.forEach((pod, sample) -> {
                line(text, "container_cpu_usage_seconds_total", pod, sample, sample.cpuSeconds());
                line(text, "container_memory_working_set_bytes", pod, sample, sample.workingSetBytes());
            });
        } else if (request.method() == HttpMethod.GET && CADVISOR.equals(request.path())) {
            samples.forEach((pod, sample) -> {
                line(text, "container_cpu_cfs_periods_total", pod, sample, Math.floor(sample.periods()));
                line(text, "container_cpu_cfs_throttled_periods_total", pod, sample, Math.floor(sample.throttled()));
            });
        } else {
            request.response().setStatusCode(NOT_FOUND).end();
            return;
        }
        request.response()
                .putHeader("content-type", "text/plain; version=0.0.4; charset=utf-8")
                .end(text.toString());
    }

    private static void line(StringBuilder text, String metric, String pod, ContainerLoad.Sample sample, double value) {
        text.append(metric)
                .append("{container=\"" + KubeletStandIn.CONTAINER + "\",namespace=\"default\",pod=\"")
                .append(pod)
                .append("\"} ")
                .append(value)
                .append(' ')
                .append(sample.at().toEpochMilli())
                .append('\n');
    }
}
