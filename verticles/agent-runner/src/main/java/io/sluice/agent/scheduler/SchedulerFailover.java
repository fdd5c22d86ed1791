package io.sluice.agent.scheduler;

import io.sluice.agent.scheduler.core.PermitRequestText;
import io.sluice.agent.scheduler.core.ProtocolVersions;
import io.sluice.agent.scheduler.core.SchedulerAddress;
import io.sluice.agent.scheduler.core.SchedulerAnswer;
import io.sluice.agent.scheduler.core.SchedulerPreference;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/** Puts a question to one scheduler after the other until one answers, in the version that it takes. */
final class SchedulerFailover {
    private final SchedulerDirectory directory;
    private final SchedulerHttp client;
    private final InstantSource clock;
    private final SchedulerMetrics meters;
    private final SchedulerPreference preference = new SchedulerPreference();
    private final ProtocolVersions dialects = new ProtocolVersions();

    SchedulerFailover(
            SchedulerDirectory directory, SchedulerHttp client, InstantSource clock, SchedulerMetrics meters) {
        this.directory = directory;
        this.client = client;
        this.clock = clock;
        this.meters = meters;
    }

    /**
     * The first answer, whatever it says; fails when nobody gave one.
     *
     * @param wanted whether anybody still waits for it: if not, nobody else is asked
     */
    Future<SchedulerAnswer> ask(PermitRequestText question, BooleanSupplier wanted) {
        var order = preference.order(directory.known(), clock.instant());
        if (order.isEmpty()) {
            return Future.failedFuture(new NoAnswerException("no scheduler is known: " + directory.whereabouts()));
        }
        int tries = Math.min(order.size(), SchedulerConfig.TRIES_MAX);
        return ask(question, order.subList(0, tries), wanted);
    }

    private Future<SchedulerAnswer> ask(
            PermitRequestText question, List<SchedulerAddress> order, BooleanSupplier wanted) {
        var address = order.getFirst();
        var others = order.subList(1, order.size());
        return spoken(question, address)
                .onSuccess(answer -> judge(address, answer))
                .recover(silent -> {
                    preference.failed(address, clock.instant());
                    if (others.isEmpty() || !wanted.getAsBoolean()) {
                        return Future.failedFuture(
                                new NoAnswerException("no answer from " + address.text() + ": " + words(silent)));
                    }
                    meters.failover();
                    return ask(question, others, wanted);
                });
    }

    /**
     * Who says that it cannot, as a gateway does that is cut off from the ledger, is preferred no more. Nobody else is
     * asked the same at once: where all are overloaded that would be the last straw.
     */
    private void judge(SchedulerAddress address, SchedulerAnswer answer) {
        if (answer.fromOneThatCannot()) {
            preference.failed(address, clock.instant());
        } else {
            preference.answered(address);
        }
    }

    /** In the version that it was last heard to take, and once more in the other if it does not any more. */
    private Future<SchedulerAnswer> spoken(PermitRequestText question, SchedulerAddress address) {
        int version = dialects.of(address, clock.instant());
        return client.post(address, question.in(version)).compose(answer -> {
            if (!(answer instanceof SchedulerAnswer.VersionRefused)) {
                return Future.succeededFuture(answer);
            }
            int other = dialects.refused(address, version, clock.instant());
            return client.post(address, question.in(other));
        });
    }

    private static String words(Throwable silent) {
        return Objects.requireNonNullElseGet(silent.getMessage(), silent::toString);
    }
}
