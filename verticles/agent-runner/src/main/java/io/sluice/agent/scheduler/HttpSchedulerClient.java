package io.sluice.agent.scheduler;

import io.sluice.agent.scheduler.core.LedgerReplies;
import io.sluice.agent.scheduler.core.PermitRequestText;
import io.sluice.agent.scheduler.core.PodNames;
import io.sluice.agent.scheduler.core.ReplyOutcome;
import io.sluice.agent.scheduler.core.RetryGate;
import io.sluice.agent.scheduler.core.SchedulerAnswer;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.shell.Shell;
import io.sluice.shell.config.Durations;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The ledger of other processes, by the agents' protocol over HTTP. All on its verticle's context.
 *
 * <p>For each pod one request is under way. A newer one fails the one before it at once, and is sent as soon as that
 * one has ended: by its response, or by closing its connection.
 */
public final class HttpSchedulerClient implements SchedulerClient {
    private final Vertx vertx;
    private final Shell shell;
    private final SchedulerConfig config;
    private final SchedulerDirectory directory;
    private final Resources unit;
    private final Duration permitValidFor;
    private final PodNames names;
    private final RetryGate gate;
    private final SchedulerSecrets secrets;
    private final SchedulerMetrics meters;
    private final Map<String, Turn> turns = new HashMap<>();
    private Optional<SchedulerHttp> client = Optional.empty();
    private SchedulerFailover inquiry;

    /**
     * What the client gets from the agent beside its own config.
     *
     * @param unit the agent's compute unit
     * @param permitValidFor how long a permit is valid, if the response does not have that
     * @param vmsMax the most VMs that are served
     */
    public record Terms(Resources unit, Duration permitValidFor, int vmsMax) {}

    HttpSchedulerClient(Vertx vertx, Shell shell, SchedulerConfig config, SchedulerDirectory directory, Terms terms) {
        this.vertx = vertx;
        this.shell = shell;
        this.config = config;
        this.directory = directory;
        unit = terms.unit();
        permitValidFor = terms.permitValidFor();
        names = new PodNames(2 * terms.vmsMax());
        gate = new RetryGate(terms.vmsMax());
        secrets = new SchedulerSecrets(vertx, config);
        meters = new SchedulerMetrics(shell.meters());
    }

    @Override
    public Future<Void> start() {
        meters.watch(directory);
        return secrets.start(certificates ->
                        client.map(open -> open.trust(certificates)).orElseThrow())
                .compose(read -> {
                    var open = new SchedulerHttp(vertx, config, directory, shell.clock(), secrets);
                    client = Optional.of(open);
                    inquiry = new SchedulerFailover(directory, open, shell.clock(), meters);
                    return directory.start();
                });
    }

    @Override
    public void observed(VmObserved vm) {
        names.observed(vm);
    }

    @Override
    public Future<OpenReply> open(OpenSession request) {
        return put(
                request.pod(),
                named -> PermitRequestText.of(request, named, unit),
                answer -> LedgerReplies.opening(answer));
    }

    @Override
    public Future<PermitReply> request(PermitRequest request) {
        return put(
                request.pod(),
                named -> PermitRequestText.of(request, named),
                answer -> LedgerReplies.permit(request, answer, permitValidFor));
    }

    @Override
    public Future<Void> close() {
        List.copyOf(turns.values()).forEach(turn -> turn.giveUp("the agent is shutting down"));
        turns.clear();
        secrets.stop();
        client.ifPresent(SchedulerHttp::close);
        return directory.close();
    }

    private <R> Future<R> put(
            String pod,
            Function<PodNames.Named, PermitRequestText> text,
            Function<SchedulerAnswer, ReplyOutcome<R>> reading) {
        var named = names.of(pod);
        if (named.isEmpty()) {
            return Future.failedFuture(new NoAnswerException("the name of pod " + pod + " is not known yet"));
        }
        var now = shell.clock().instant();
        var waiting = gate.waiting(pod, now);
        if (waiting.isPresent()) {
            meters.held();
            var left = Durations.text(Duration.ofSeconds(
                    Duration.between(now, waiting.get().until()).plusMillis(999).toSeconds()));
            return Future.failedFuture(new NoAnswerException("a scheduler requires a wait of " + left + ": "
                    + waiting.get().words()));
        }
        var request = new Pending<>(pod, text.apply(named.get()), reading, Promise.promise());
        queue(request);
        return request.answered().future();
    }

    private void queue(Pending<?> request) {
        var turn = turns.get(request.pod());
        if (turn == null) {
            begin(request);
        } else {
            turn.giveUp("a newer request replaced it");
            turn.next = Optional.of(request);
        }
    }

    private void begin(Pending<?> request) {
        var turn = new Turn(request);
        turns.put(request.pod(), turn);
        send(request).onComplete(over -> {
            if (turns.remove(request.pod(), turn)) {
                turn.next.ifPresent(this::begin);
            }
        });
    }

    /** Completes when the request has ended, and nothing of it is under way any more. */
    private <R> Future<SchedulerAnswer> send(Pending<R> request) {
        return inquiry.request(
                        request.text(), () -> !request.answered().future().isComplete())
                .onSuccess(answer -> answered(request, request.reading().apply(answer)))
                .onFailure(silent -> {
                    meters.lost();
                    request.answered().tryFail(silent);
                });
    }

    private <R> void answered(Pending<R> request, ReplyOutcome<R> outcome) {
        switch (outcome) {
            case ReplyOutcome.Replied<R> replied -> {
                meters.answered();
                request.answered().tryComplete(replied.reply());
            }
            case ReplyOutcome.Unanswered<R> lost -> {
                meters.unusable();
                lost.pause()
                        .ifPresent(pause -> gate.refused(
                                request.pod(),
                                pause,
                                lost.reason(),
                                shell.clock().instant()));
                request.answered().tryFail(new NoAnswerException(lost.reason()));
            }
        }
    }

    private record Pending<R>(
            String pod,
            PermitRequestText text,
            Function<SchedulerAnswer, ReplyOutcome<R>> reading,
            Promise<R> answered) {}

    /** The request that is under way for one pod, and the one that follows it. */
    private static final class Turn {
        private final Pending<?> current;
        private Optional<Pending<?>> next = Optional.empty();

        Turn(Pending<?> current) {
            this.current = current;
        }

        void giveUp(String reason) {
            var overtaken = new NoAnswerException(reason);
            current.answered().tryFail(overtaken);
            next.ifPresent(waiting -> waiting.answered().tryFail(overtaken));
            next = Optional.empty();
        }
    }
}
