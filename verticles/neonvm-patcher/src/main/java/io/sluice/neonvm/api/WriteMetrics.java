package io.sluice.neonvm.api;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.AsyncResult;

/** Counts writes to the API server, under the metric name of NeonVM's schedulers. */
final class WriteMetrics {
    private final MeterRegistry meters;

    WriteMetrics(MeterRegistry meters) {
        this.meters = meters;
    }

    void count(String op, String kind, AsyncResult<KubernetesApi.Answer> ended) {
        Counter.builder("autoscaling.plugin.k8s.ops")
                .description("Writes to the Kubernetes API by operation, kind of object and outcome")
                .tag("op", op)
                .tag("kind", kind)
                .tag("outcome", outcome(ended))
                .register(meters)
                .increment();
    }

    /** The server's message is no tag value, as each message would create a series. */
    private static String outcome(AsyncResult<KubernetesApi.Answer> ended) {
        if (ended.failed()) {
            return ended.cause() instanceof KubernetesApi.NotSentException ? "error: not sent" : "error: no answer";
        }
        return ended.result().isSuccess()
                ? "success"
                : "error: " + ended.result().status();
    }
}
