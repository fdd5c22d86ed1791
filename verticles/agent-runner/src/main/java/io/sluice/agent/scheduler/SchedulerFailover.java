package io.sluice.agent.scheduler;

import io.sluice.agent.scheduler.core.PermitRequestText;
import io.sluice.agent.scheduler.core.ProtocolVersions;
import io.sluice.agent.scheduler.core.SchedulerAddress;
import io.sluice.agent.scheduler.core.SchedulerAnswer;
import io.sluice.agent.scheduler.core.SchedulerPreference;
import io.sluice.trace.CurrentSpan;
import io.sluice.trace.TraceSpan;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Sends a request to one scheduler after the other until one responds, in the protocol version that it accepts. */
final class SchedulerFailover {
    private static final int CAUSES_MAX = 10;

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
     * The first response, whatever it is; fails if there is none.
     *
     * @param condition whether the request is still needed: if not, no further scheduler is tried
     */
    Future<SchedulerAnswer> request(PermitRequestText request, BooleanSupplier condition) {
        var candidates = candidates(Set.of());
        if (candidates.isEmpty()) {
            directory.noneResponded();
            return Future.failedFuture(new NoAnswerException("no scheduler is known: " + directory.whereabouts()));
        }
        return request(request, candidates, Set.of(), condition, CurrentSpan.get());
    }

    private List<SchedulerAddress> candidates(Set<SchedulerAddress> tried) {
        return preference.candidates(directory.known(), directory.spreads(), tried, clock.instant());
    }

    private Future<SchedulerAnswer> request(
            PermitRequestText request,
            List<SchedulerAddress> candidates,
            Set<SchedulerAddress> tried,
            BooleanSupplier condition,
            TraceSpan span) {
        var choice = client.among(candidates);
        return client.connect(choice, span)
                .compose(connected -> spoken(request, connected, span))
                .recover(silent -> {
                    if (choice.selected().isEmpty()) {
                        return Future.failedFuture(silent);
                    }
                    var address = choice.selected().get();
                    preference.failed(address, clock.instant());
                    var triedNow =
                            Stream.concat(tried.stream(), Stream.of(address)).collect(Collectors.toSet());
                    var others = triedNow.size() < SchedulerConfig.TRIES_MAX && condition.getAsBoolean()
                            ? candidates(triedNow)
                            : List.<SchedulerAddress>of();
                    if (others.isEmpty()) {
                        directory.noneResponded();
                        return Future.failedFuture(
                                new NoAnswerException("no response from " + address.text() + ": " + words(silent)));
                    }
                    meters.failover();
                    return request(request, others, triedNow, condition, span);
                });
    }

    /**
     * A scheduler that reports that it cannot serve, such as a gateway that is cut off from the ledger, is tried last
     * from then on. No other scheduler gets the same request at once: if all are overloaded, that would overload them
     * more.
     */
    private void judge(SchedulerAddress address, SchedulerAnswer answer) {
        if (answer.fromOneThatCannot()) {
            preference.failed(address, clock.instant());
        } else {
            preference.answered(address);
        }
    }

    /** In the version that it accepted last, and once more in the other if it refuses that. */
    private Future<SchedulerAnswer> spoken(
            PermitRequestText request, SchedulerHttp.Connected connected, TraceSpan span) {
        var address = connected.to();
        int version = dialects.of(address, clock.instant());
        return client.send(connected, request.in(version))
                .compose(answer -> {
                    if (!(answer instanceof SchedulerAnswer.VersionRefused)) {
                        return Future.succeededFuture(answer);
                    }
                    int other = dialects.refused(address, version, clock.instant());
                    return client.connect(client.among(List.of(address)), span)
                            .compose(again -> client.send(again, request.in(other)));
                })
                .onSuccess(answer -> judge(address, answer));
    }

    /** With the first cause, which of a failed handshake is the only one that names what is wrong. */
    private static String words(Throwable silent) {
        var first = Stream.iterate(silent, Objects::nonNull, Throwable::getCause)
                .limit(CAUSES_MAX)
                .reduce(silent, (later, cause) -> cause);
        return first == silent ? text(silent) : text(silent) + ": " + text(first);
    }

    private static String text(Throwable failure) {
        return Objects.requireNonNullElseGet(failure.getMessage(), failure::toString);
    }
}
