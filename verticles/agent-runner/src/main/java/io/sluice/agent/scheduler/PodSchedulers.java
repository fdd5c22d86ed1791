package io.sluice.agent.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.sluice.agent.scheduler.core.SchedulerAddress;
import io.sluice.agent.scheduler.core.SchedulerPod;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;

/** Pods of schedulers, found as agents of the reference find them: by namespace and the label {@code name}. */
final class PodSchedulers implements SchedulerDirectory {
    private static final String LABEL = "name";

    private final SchedulerConfig config;
    private final SchedulerPodWatch watch;
    private List<SchedulerAddress> known = List.of();

    PodSchedulers(Vertx vertx, KubernetesClient client, SchedulerConfig config) {
        this.config = config;
        watch = new SchedulerPodWatch(
                vertx,
                () -> client.genericKubernetesResources(ResourceDefinitionContext.fromResourceType(Pod.class))
                        .inNamespace(config.namespace())
                        .withLabel(LABEL, config.schedulerName())
                        .runnableInformer(0),
                this::choose);
    }

    @Override
    public Future<Void> start() {
        return watch.start();
    }

    @Override
    public List<SchedulerAddress> known() {
        return known;
    }

    @Override
    public boolean spreads() {
        return false;
    }

    @Override
    public String whereabouts() {
        return "no pod labelled " + LABEL + "=" + config.schedulerName() + " is ready in namespace "
                + config.namespace();
    }

    @Override
    public void noneResponded() {
        watch.renew();
    }

    @Override
    public Future<Void> close() {
        return watch.stop();
    }

    private void choose(List<JsonNode> pods) {
        known = SchedulerPod.usable(pods.stream().map(PodSchedulers::read).toList()).stream()
                .map(pod -> new SchedulerAddress(config.tls().enabled(), pod.ip(), config.port()))
                .toList();
    }

    static SchedulerPod read(JsonNode pod) {
        var metadata = pod.path("metadata");
        var status = pod.path("status");
        boolean ready = !metadata.hasNonNull("deletionTimestamp")
                && status.path("conditions")
                        .valueStream()
                        .anyMatch(condition -> "Ready"
                                        .equals(condition.path("type").asText())
                                && "True".equals(condition.path("status").asText()));
        return new SchedulerPod(
                metadata.path("name").asText(),
                instant(metadata.path("creationTimestamp").asText("")),
                status.path("podIP").asText(""),
                ready);
    }

    /** A pod of unknown age is tried last. */
    private static Instant instant(String timestamp) {
        try {
            return OffsetDateTime.parse(timestamp).toInstant();
        } catch (DateTimeException unreadable) {
            return Instant.EPOCH;
        }
    }
}
