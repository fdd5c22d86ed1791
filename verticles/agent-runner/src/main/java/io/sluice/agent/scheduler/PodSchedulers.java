package io.sluice.agent.scheduler;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
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
    private final SchedulerPodWatch<Pod> watch;
    private List<SchedulerAddress> known = List.of();

    PodSchedulers(Vertx vertx, KubernetesClient client, SchedulerConfig config) {
        this.config = config;
        watch = new SchedulerPodWatch<>(
                vertx,
                () -> client.pods()
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

    private void choose(List<Pod> pods) {
        known = SchedulerPod.usable(pods.stream().map(PodSchedulers::read).toList()).stream()
                .map(pod -> new SchedulerAddress(config.tls().enabled(), pod.ip(), config.port()))
                .toList();
    }

    static SchedulerPod read(Pod pod) {
        var status = pod.getStatus();
        boolean ready = status != null
                && pod.getMetadata().getDeletionTimestamp() == null
                && status.getConditions().stream()
                        .anyMatch(condition ->
                                "Ready".equals(condition.getType()) && "True".equals(condition.getStatus()));
        var ip = status == null || status.getPodIP() == null ? "" : status.getPodIP();
        return new SchedulerPod(
                pod.getMetadata().getName(), instant(pod.getMetadata().getCreationTimestamp()), ip, ready);
    }

    /** A pod of unknown age is tried last. */
    private static Instant instant(String timestamp) {
        try {
            return timestamp == null
                    ? Instant.EPOCH
                    : OffsetDateTime.parse(timestamp).toInstant();
        } catch (DateTimeException unreadable) {
            return Instant.EPOCH;
        }
    }
}
