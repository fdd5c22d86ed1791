package io.sluice.neonvm;

import io.micrometer.core.instrument.Counter;
import io.sluice.neonvm.core.EventObjects;
import io.sluice.neonvm.core.PatchOutcome;
import io.sluice.neonvm.core.VmEvent;
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

/** Writes events a few at a time; what comes while too many wait is dropped and counted. */
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

    void write(VmEvent remark) {
        if (waiting.size() >= WAITING_MAX) {
            events(remark.reason(), "dropped").increment();
            return;
        }
        waiting.add(remark);
        next();
    }

    private void next() {
        while (underWay < AT_A_TIME && !waiting.isEmpty()) {
            var remark = waiting.poll();
            underWay++;
            send(remark)
                    .otherwise(failure -> failed(remark, KubernetesApi.words(failure)))
                    .onSuccess(outcome -> {
                        underWay--;
                        events(remark.reason(), outcome).increment();
                        next();
                    });
        }
    }

    private Future<String> send(VmEvent remark) {
        if (remark.isNew()) {
            return create(remark);
        }
        var path = KubernetesApi.eventsPath(remark.vm().namespace()) + "/" + remark.name();
        return api.merge(EventObjects.KIND, path, EventObjects.raise(remark))
                // Events live for an hour or so: a count may outlive its own.
                .compose(answer -> answer.status() == NOT_FOUND
                        ? create(remark)
                        : Future.succeededFuture(outcome(remark, answer)));
    }

    private Future<String> create(VmEvent remark) {
        var path = KubernetesApi.eventsPath(remark.vm().namespace());
        return api.create(EventObjects.KIND, path, EventObjects.create(remark))
                // Another process that heard the same was first.
                .map(answer -> answer.status() == PatchOutcome.CONFLICT ? "there_already" : outcome(remark, answer));
    }

    private String outcome(VmEvent remark, KubernetesApi.Answer answer) {
        return answer.isSuccess()
                ? "written"
                : failed(remark, "the API server answered " + answer.status() + PatchOutcome.words(answer.body()));
    }

    private String failed(VmEvent remark, String reason) {
        var now = shell.clock().instant();
        if (!now.isBefore(complainNext)) {
            complainNext = now.plus(COMPLAIN_EVERY);
            LOG.atWarn()
                    .addKeyValue(LogKeys.VM, remark.vm().label())
                    .addKeyValue(LogKeys.KIND, remark.reason().word())
                    .addKeyValue(LogKeys.REASON, reason)
                    .log("An event could not be written and is dropped; others may be, too.");
        }
        return "failed";
    }

    private Counter events(VmEvent.Reason reason, String outcome) {
        return Counter.builder("sluice.vm.events")
                .description("Events on VMs by reason and by what became of them")
                .tag("reason", reason.word())
                .tag("outcome", outcome)
                .register(shell.meters());
    }
}
