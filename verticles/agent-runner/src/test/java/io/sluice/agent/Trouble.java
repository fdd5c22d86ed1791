package io.sluice.agent;

import io.sluice.agent.core.metrics.MetricsFault;
import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.agent.core.scaling.SystemMetrics;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.ScalingRecorded;
import io.sluice.messages.monitor.DetachMonitor;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Ports that fail in one way for one VM; for all other VMs they pass everything on. */
final class Trouble implements RunnerPorts {
    private final String name;
    private final Executor executor;
    private final Fault fault;
    private final RunnerPorts behind;
    private volatile int met;

    Trouble(String name, Executor executor, Fault fault, RunnerPorts behind) {
        this.name = name;
        this.executor = executor;
        this.fault = fault;
        this.behind = behind;
    }

    /** The port that fails. */
    enum Executor {
        SESSION(RunnerAction.OpenLedgerSession.class),
        LEDGER(RunnerAction.RequestPermit.class),
        CLAIM(RunnerAction.ClaimFence.class),
        DRIVER(RunnerAction.PatchSize.class),
        MONITOR_UP(RunnerAction.UpscaleGuest.class),
        MONITOR_DOWN(RunnerAction.DownscaleGuest.class),
        MONITOR_SESSION(RunnerAction.AttachToMonitor.class),
        SCRAPE(RunnerAction.Scrape.class),
        DECISIONS,
        RECORDS,
        STATUSES;

        private final Optional<Class<? extends RunnerAction.Request>> kind;

        Executor() {
            kind = Optional.empty();
        }

        Executor(Class<? extends RunnerAction.Request> kind) {
            this.kind = Optional.of(kind);
        }

        /** The faults that are possible with it: a port that only publishes has no reply. */
        List<Fault> faults() {
            return kind.isPresent() ? List.of(Fault.values()) : List.of(Fault.THROWS);
        }
    }

    /** How the port fails. */
    enum Fault {
        THROWS,
        FAILS,
        NEVER_ANSWERS,
        /** A reply to another kind of request. */
        ANSWERS_ASTRAY,
        /** The right kind of reply, without content, so that reading it throws. */
        ANSWERS_NOTHING
    }

    int timesMet() {
        return met;
    }

    @Override
    public Future<RunnerEvent> send(RunnerAction.Request request) {
        boolean meets = executor.kind.filter(kind -> kind.isInstance(request)).isPresent()
                && ManyVms.about(request).equals(name);
        return meets ? broken(request) : behind.send(request);
    }

    private Future<RunnerEvent> broken(RunnerAction.Request request) {
        met++;
        return switch (fault) {
            case THROWS -> throw new IllegalStateException("this port is broken");
            case FAILS -> Future.failedFuture("this port fails");
            case NEVER_ANSWERS -> Future.future(never -> {});
            case ANSWERS_ASTRAY -> behind.send(request).map(right -> astray(request));
            case ANSWERS_NOTHING -> behind.send(request).map(right -> empty(request));
        };
    }

    private static RunnerEvent astray(RunnerAction.Request request) {
        return request instanceof RunnerAction.Scrape
                ? new RunnerEvent.Scraped(
                        request.number(),
                        new MetricsReading.Read(new SystemMetrics(
                                Double.NaN, Double.POSITIVE_INFINITY, Double.NaN, Double.NEGATIVE_INFINITY)))
                : new RunnerEvent.Scraped(
                        request.number(), new MetricsReading.Rejected(MetricsFault.MISSING, "not what was requested"));
    }

    private static RunnerEvent empty(RunnerAction.Request request) {
        return switch (request) {
            case RunnerAction.OpenLedgerSession(var number, var _) -> new RunnerEvent.SessionAnswered(number, null);
            case RunnerAction.RequestPermit(var number, var _) -> new RunnerEvent.PermitAnswered(number, null);
            case RunnerAction.ClaimFence(var number, var _) -> new RunnerEvent.ClaimAnswered(number, null);
            case RunnerAction.PatchSize(var number, var _, var _) -> new RunnerEvent.PatchAnswered(number, null);
            case RunnerAction.UpscaleGuest(var number, var _, var _, var _) ->
                new RunnerEvent.GuestAnswered(number, null);
            case RunnerAction.DownscaleGuest(var number, var _, var _, var _) ->
                new RunnerEvent.GuestAnswered(number, null);
            case RunnerAction.AttachToMonitor(var number, var _) -> new RunnerEvent.MonitorAttached(number, null);
            case RunnerAction.Scrape(var number, var _, var _) -> new RunnerEvent.Scraped(number, null);
            case RunnerAction.ScrapeLfc(var number, var _, var _) -> new RunnerEvent.LfcScraped(number, null);
        };
    }

    @Override
    public void publish(ScalingRecorded recorded) {
        if (meets(Executor.RECORDS, recorded.vm().name())) {
            throw new IllegalStateException("scaling events cannot be published");
        }
        behind.publish(recorded);
    }

    @Override
    public void publish(Decision decision) {
        if (meets(Executor.DECISIONS, decision.vm().name())) {
            throw new IllegalStateException("decisions cannot be published");
        }
        behind.publish(decision);
    }

    @Override
    public void publish(RunnerStatus status) {
        if (meets(Executor.STATUSES, status.vm().name())) {
            throw new IllegalStateException("statuses cannot be published");
        }
        behind.publish(status);
    }

    private boolean meets(Executor saying, String about) {
        boolean meets = executor == saying && about.equals(name);
        met += meets ? 1 : 0;
        return meets;
    }

    @Override
    public void detach(DetachMonitor request, String at) {
        behind.detach(request, at);
    }
}
