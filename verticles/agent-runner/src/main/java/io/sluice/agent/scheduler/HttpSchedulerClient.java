package io.sluice.agent.scheduler;

import io.sluice.agent.scheduler.core.LedgerReplies;
import io.sluice.agent.scheduler.core.PermitRequestText;
import io.sluice.agent.scheduler.core.PodNames;
import io.sluice.agent.scheduler.core.ReplyOutcome;
import io.sluice.agent.scheduler.core.RetryGate;
import io.sluice.agent.scheduler.core.SchedulerAnswer;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.OpenSession;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
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
 * <p>Of each member one question is under way. A newer one fails the one before it at once, and is sent as soon as that
 * one is over: answered, or hung up on.
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
     * What the line must know of the agent beside its own config.
     *
     * @param unit the agent's compute unit
     * @param permitValidFor how long a permit is good for, where the answer does not say it
     * @param vmsMax so many VMs are served at most
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
                    var open = new SchedulerHttp(vertx, config, shell.clock(), secrets);
                    client = Optional.of(open);
                    inquiry = new SchedulerFailover(directory, open, shell.clock(), meters);
                    return directory.start();
                });
    }

    @Override
    public void seen(VmObserved vm) {
        names.seen(vm);
    }

    @Override
    public Future<OpenReply> open(OpenSession question) {
        return put(
                question.member(),
                named -> PermitRequestText.of(question, named, unit),
                answer -> LedgerReplies.opening(answer));
    }

    @Override
    public Future<PermitReply> ask(PermitRequest question) {
        return put(
                question.member(),
                named -> PermitRequestText.of(question, named),
                answer -> LedgerReplies.permit(question, answer, permitValidFor));
    }

    @Override
    public Future<Void> close() {
        List.copyOf(turns.values()).forEach(turn -> turn.giveUp("the agent goes down"));
        turns.clear();
        secrets.stop();
        client.ifPresent(SchedulerHttp::close);
        return directory.close();
    }

    private <R> Future<R> put(
            String member,
            Function<PodNames.Named, PermitRequestText> text,
            Function<SchedulerAnswer, ReplyOutcome<R>> reading) {
        var named = names.of(member);
        if (named.isEmpty()) {
            return Future.failedFuture(new NoAnswerException("the name of pod " + member + " is not known yet"));
        }
        var now = shell.clock().instant();
        var waiting = gate.waiting(member, now);
        if (waiting.isPresent()) {
            meters.held();
            var left = Durations.text(Duration.ofSeconds(
                    Duration.between(now, waiting.get().until()).plusMillis(999).toSeconds()));
            return Future.failedFuture(new NoAnswerException("the scheduler wants to be asked in " + left + ": "
                    + waiting.get().words()));
        }
        var asked = new Asked<>(member, text.apply(named.get()), reading, Promise.promise());
        queue(asked);
        return asked.answered().future();
    }

    private void queue(Asked<?> asked) {
        var turn = turns.get(asked.member());
        if (turn == null) {
            begin(asked);
        } else {
            turn.giveUp("a newer question took its place");
            turn.next = Optional.of(asked);
        }
    }

    private void begin(Asked<?> asked) {
        var turn = new Turn(asked);
        turns.put(asked.member(), turn);
        send(asked).onComplete(over -> {
            if (turns.remove(asked.member(), turn)) {
                turn.next.ifPresent(this::begin);
            }
        });
    }

    /** Completes when the question is over, and nothing of it is under way any more. */
    private <R> Future<SchedulerAnswer> send(Asked<R> asked) {
        return inquiry.ask(asked.text(), () -> !asked.answered().future().isComplete())
                .onSuccess(answer -> answered(asked, asked.reading().apply(answer)))
                .onFailure(silent -> {
                    meters.lost();
                    asked.answered().tryFail(silent);
                });
    }

    private <R> void answered(Asked<R> asked, ReplyOutcome<R> verdict) {
        switch (verdict) {
            case ReplyOutcome.Replied<R> replied -> {
                meters.answered();
                asked.answered().tryComplete(replied.reply());
            }
            case ReplyOutcome.Unanswered<R> lost -> {
                meters.unusable();
                lost.pause()
                        .ifPresent(pause -> gate.told(
                                asked.member(),
                                pause,
                                lost.reason(),
                                shell.clock().instant()));
                asked.answered().tryFail(new NoAnswerException(lost.reason()));
            }
        }
    }

    private record Asked<R>(
            String member,
            PermitRequestText text,
            Function<SchedulerAnswer, ReplyOutcome<R>> reading,
            Promise<R> answered) {}

    /** What is under way for one member, and what follows it. */
    private static final class Turn {
        private final Asked<?> current;
        private Optional<Asked<?>> next = Optional.empty();

        Turn(Asked<?> current) {
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
