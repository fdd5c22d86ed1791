package io.sluice.neonvm.events;

import io.micrometer.core.instrument.Counter;
import io.sluice.neonvm.api.KubernetesApi;
import io.sluice.neonvm.core.VmEvent;
import io.sluice.neonvm.core.objects.EventObjects;
import io.sluice.neonvm.core.objects.PatchOutcome;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes Events to the API server, a few at a time. If too many wait, further ones are dropped and counted. */
final class EventWriter {
    private static final Logger LOG = LoggerFactory.getLogger(EventWriter.class);
    private static final int AT_A_TIME = 4;
    private static final int WAITING_MAX = 1_000;
    private static final int NOT_FOUND = 404;
    private static final Duration COMPLAIN_EVERY = Duration.ofMinutes(1);

    private final KubernetesApi api;
    private final Shell shell;
    private final Deque<VmEvent> waiting = new ArrayDeque<>();
    private Instant complainNext = Instant.MIN;
    private int underWay;

    EventWriter(KubernetesApi api, Shell shell) {
        this.api = api;
        this.shell = shell;
        for (var reason : VmEvent.Reason.values()) {
            List.of("written", "failed", "dropped").forEach(outcome -> events(reason, outcome));
        }
    }

    void write(VmEvent event) {
        if (waiting.size() >= WAITING_MAX) {
            events(event.reason(), "dropped").increment();
            return;
        }
        waiting.add(event);
        next();
    }

    private void next() {
        while (underWay < AT_A_TIME && !waiting.isEmpty()) {
            var event = waiting.poll();
            underWay++;
            send(event)
                    .otherwise(failure -> failed(event, KubernetesApi.words(failure)))
                    .onSuccess(outcome -> {
                        underWay--;
                        events(event.reason(), outcome).increment();
                        next();
                    });
        }
    }

    private Future<String> send(VmEvent event) {
        if (event.isNew()) {
            return create(event);
        }
        var path = KubernetesApi.eventsPath(event.vm().namespace()) + "/" + event.name();
        return api.merge(EventObjects.KIND, path, EventObjects.raise(event))
                // The API server deletes Events after about an hour, so the Event of a count may be gone.
                .compose(answer ->
                        answer.status() == NOT_FOUND ? create(event) : Future.succeededFuture(outcome(event, answer)));
    }

    private Future<String> create(VmEvent event) {
        var path = KubernetesApi.eventsPath(event.vm().namespace());
        return api.create(EventObjects.KIND, path, EventObjects.create(event))
                // Another process wrote the same Event first.
                .map(answer -> answer.status() == PatchOutcome.CONFLICT ? "there_already" : outcome(event, answer));
    }

    private String outcome(VmEvent event, KubernetesApi.Answer answer) {
        return answer.isSuccess()
                ? "written"
                : failed(event, "the API server answered " + answer.status() + PatchOutcome.words(answer.body()));
    }

    private String failed(VmEvent event, String reason) {
        var now = shell.clock().instant();
        if (!now.isBefore(complainNext)) {
            complainNext = now.plus(COMPLAIN_EVERY);
            LOG.atWarn()
                    .addKeyValue(LogKeys.VM, event.vm().label())
                    .addKeyValue(LogKeys.KIND, event.reason().word())
                    .addKeyValue(LogKeys.REASON, reason)
                    .log("An Event could not be written and is dropped; more may be dropped.");
        }
        return "failed";
    }

    private Counter events(VmEvent.Reason reason, String outcome) {
        return Counter.builder("sluice.vm.events")
                .description("Events on VMs, by reason and outcome")
                .tag("reason", reason.word())
                .tag("outcome", outcome)
                .register(shell.meters());
    }
}
