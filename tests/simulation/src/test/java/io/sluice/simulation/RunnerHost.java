package io.sluice.simulation;

import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.agent.core.runner.Resume;
import io.sluice.agent.core.runner.Runner;
import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.agent.core.runner.RunnerState;
import io.sluice.agent.core.scaling.SystemMetrics;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.vm.PatchVm;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/** Does what the runners of one agent for one VM decide, over a network that loses, repeats and delays. */
final class RunnerHost {
    private static final Duration GIVEN_UP = Duration.ofSeconds(12);
    private static final Duration OPENED_LATER = Duration.ofSeconds(1);

    private final World world;
    private final ApiModel vm;
    private final String name;
    private Runner runner;
    private int generation;
    private int wakes;
    private boolean alive;

    RunnerHost(World world, ApiModel vm, String name) {
        this.world = world;
        this.vm = vm;
        this.name = name;
    }

    /** Whoever is not to be served now is looked at again. */
    void start(Resume resume) {
        if (!Runner.serves(vm.seen())) {
            int before = generation;
            later(OPENED_LATER, () -> {
                if (before == generation) {
                    start(resume);
                }
            });
            return;
        }
        generation++;
        alive = true;
        var id = name + "-" + generation;
        runner = new Runner(
                world.config(),
                id,
                vm.seen(),
                resume,
                new Random(world.faults().random().nextLong()));
        deliver(generation, new RunnerEvent.Started());
    }

    /** The agent dies at once: what it sent stays on its way, what comes back is for nobody. */
    void crash() {
        alive = false;
        generation++;
        later(Duration.ofSeconds(2), () -> start(Resume.FRESH));
    }

    void hear(RunnerEvent event) {
        deliver(generation, event);
    }

    /** Where its runner stands, while there is one that can still act. */
    Optional<RunnerState> state() {
        return alive && runner.member().pod().equals(vm.pod()) ? Optional.of(runner.state()) : Optional.empty();
    }

    private void deliver(int of, RunnerEvent event) {
        if (!alive || of != generation) {
            return;
        }
        runner.on(event, world.time().now()).forEach(this::perform);
    }

    private void perform(RunnerAction action) {
        switch (action) {
            case RunnerAction.OpenLedgerSession(var number, var question) ->
                ask(
                        number,
                        () -> new RunnerEvent.SessionAnswered(
                                number, world.ledger().apply(question.node(), new LedgerCommand.Open(question))));
            case RunnerAction.AskPermit(var number, var question) ->
                ask(
                        number,
                        () -> new RunnerEvent.PermitAnswered(
                                number, world.ledger().apply(question.node(), new LedgerCommand.Ask(question))));
            case RunnerAction.ClaimFence(var number, var question) ->
                ask(number, () -> new RunnerEvent.ClaimAnswered(number, world.claimed(vm, question.runner())));
            case RunnerAction.PatchSize(var number, var question, var _) -> patch(number, question);
            case RunnerAction.TellGuest(var number, var _, var _) ->
                ask(number, () -> new RunnerEvent.GuestAnswered(number, new ResizeReply.Accepted("")));
            case RunnerAction.AskGuest(var number, var _, var _) ->
                ask(number, () -> new RunnerEvent.GuestAnswered(number, guestSays()));
            case RunnerAction.AttachToMonitor(var number, var _) ->
                ask(number, () -> new RunnerEvent.MonitorAttached(number, new MonitorState(vm.vm(), 1, true, "")));
            case RunnerAction.DetachFromMonitor _ -> {}
            case RunnerAction.Scrape(var number, var _) ->
                ask(number, () -> new RunnerEvent.Scraped(number, new MetricsReading.Read(load())));
            case RunnerAction.ScrapeLfc(var number, var _, var _) ->
                ask(number, () -> new RunnerEvent.RequestLost(number, "the file caches here do not count"));
            case RunnerAction.WakeAt(var when) ->
                wakeAt(Duration.between(world.time().now(), when));
            case RunnerAction.Report _, RunnerAction.Warn _ -> {}
            case RunnerAction.Stop(var _, var _, var restartAfter, var resume) -> {
                alive = false;
                later(restartAfter.orElse(OPENED_LATER).plus(OPENED_LATER), () -> start(resume));
            }
        }
    }

    private void wakeAt(Duration delay) {
        int wake = ++wakes;
        int of = generation;
        later(delay, () -> {
            if (wake == wakes) {
                deliver(of, new RunnerEvent.Woken());
            }
        });
    }

    /** A request over the bus: lost there, lost on the way back, or heard twice. */
    private void ask(long number, Supplier<RunnerEvent> heard) {
        int of = generation;
        later(GIVEN_UP, () -> deliver(of, new RunnerEvent.RequestLost(number, "timeout")));
        if (world.faults().lost()) {
            return;
        }
        if (world.faults().twice()) {
            later(world.faults().patchWay(), () -> answer(of, heard.get()));
        }
        later(world.faults().hop(), () -> answer(of, heard.get()));
    }

    private void answer(int of, RunnerEvent event) {
        if (!world.faults().lost()) {
            later(world.faults().hop(), () -> deliver(of, event));
        }
    }

    /** A patch that was sent may be applied late, twice or never, whatever the runner came to think of it. */
    private void patch(long number, PatchVm patch) {
        int of = generation;
        later(GIVEN_UP, () -> deliver(of, new RunnerEvent.RequestLost(number, "timeout")));
        if (world.faults().lost()) {
            return;
        }
        int copies = world.faults().twice() ? 2 : 1;
        for (int copy = 0; copy < copies; copy++) {
            world.sent(vm, patch);
            later(world.faults().patchWay(), () -> {
                var reply = world.applied(vm, patch);
                answer(of, new RunnerEvent.PatchAnswered(number, reply));
            });
        }
    }

    private ResizeReply guestSays() {
        return world.faults().oneIn(4) ? new ResizeReply.Vetoed("no") : new ResizeReply.Accepted("yes");
    }

    private SystemMetrics load() {
        double load = world.faults().random().nextDouble() * 3;
        double usage = (0.5 + world.faults().random().nextDouble() * 6) * ApiModel.SLOT;
        return new SystemMetrics(load, load, usage, 0);
    }

    private void later(Duration delay, Runnable what) {
        world.time().in(delay, what);
    }
}
