package io.sluice.agent.core.runner;

import static io.sluice.agent.core.runner.RunnerRig.VM;
import static io.sluice.agent.core.runner.RunnerRig.cu;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.core.metrics.LfcReading;
import io.sluice.agent.core.metrics.MetricsFault;
import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.agent.core.scaling.SystemMetrics;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.monitor.UpscaleRequest;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two runners after each other or at once scale one VM, with a ledger that has a session and a VM that has a fence,
 * while requests and replies are lost, late and doubled. After every event: one patch in flight for each runner,
 * sequence numbers and fences that only grow, no action after the end, and a reservation of no less than what the VM
 * may come to use.
 */
class RunnerHistoryTest {
    private static final int STEPS = 1_500;

    private final List<Driven> runners = new ArrayList<>();
    private final List<PatchVm> onTheWay = new ArrayList<>();
    private final Set<Waiting> waited = EnumSet.noneOf(Waiting.class);
    private Random random;
    private Instant now = RunnerRig.START;
    private int made;
    private int patched;

    private long session;
    private long takenSeq;
    private Resources reserved = cu(4);
    private Resources spec = cu(4);
    private Resources status = cu(4);
    private Revision reportedRevision = Revision.ZERO;
    private Revision shown = Revision.ZERO;
    private String fence = "before/7";
    private long version = 10;
    private long generation = 1;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 20261121})
    void keepsItsPromisesUnderAnyHistory(long seed) {
        random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            var context = "seed %d step %d".formatted(seed, step);
            oneStep();
            assertThat(reported().exceeds(reserved))
                    .as("%s: %s in spec or patches, %s reserved", context, reported(), reserved)
                    .isFalse();
            assertThat(status.exceeds(wholeCpus(reserved)))
                    .as("%s: %s shown, %s reserved", context, status, reserved)
                    .isFalse();
        }
        assertThat(patched).as("patches of seed %d", seed).isGreaterThan(20);
        assertThat(waited).as("waits of seed %d", seed).hasSizeGreaterThan(7);
    }

    private void oneStep() {
        now = now.plusMillis(random.nextInt(400));
        if (runners.isEmpty() || random.nextInt(400) == 0) {
            runners.add(new Driven("runner" + made++));
        }
        runners.removeIf(each -> each.stopped);
        for (var each : List.copyOf(runners)) {
            each.wake();
            each.deliverSome();
        }
        switch (random.nextInt(12)) {
            case 0 -> controllerWorks();
            case 1 -> applyLate();
            case 2, 3 -> runners.forEach(each -> each.report(new RunnerEvent.VmChanged(observation())));
            case 4 -> {
                generation++;
                boolean connected = random.nextInt(4) > 0;
                runners.forEach(each ->
                        each.report(new RunnerEvent.MonitorChanged(new MonitorState(VM, generation, connected, ""))));
            }
            case 5 ->
                runners.forEach(
                        each -> each.report(new RunnerEvent.UpscaleRequested(new UpscaleRequest(VM, generation))));
            default -> {}
        }
    }

    /**
     * The size of the VM's spec, or of a larger patch that can still be applied, as the VM has the fence that it tests.
     */
    private Resources reported() {
        return onTheWay.stream()
                .filter(patch -> patch.fence().equals(fence))
                .map(PatchVm::target)
                .reduce(spec, Resources::max);
    }

    /** A driver shows whole CPUs, so two sizes that round up to the same number cannot be distinguished. */
    private static Resources wholeCpus(Resources size) {
        return new Resources(Math.ceilDiv(size.milliCpu(), 1000) * 1000, size.memoryBytes());
    }

    private void controllerWorks() {
        version++;
        status = wholeCpus(spec);
        shown = reportedRevision;
    }

    private VmObserved observation() {
        var reached = shown.equals(Revision.ZERO) ? Optional.<Revision>empty() : Optional.of(shown);
        return RunnerRig.observation(version, "pod-a", VmPhase.RUNNING, true, sizes(), reached, fence);
    }

    private VmSizes sizes() {
        return new VmSizes(cu(1), cu(16), spec, Optional.of(status), 1L << 27);
    }

    private void applyLate() {
        if (!onTheWay.isEmpty()) {
            apply(onTheWay.remove(random.nextInt(onTheWay.size())));
        }
    }

    private PatchReply apply(PatchVm patch) {
        if (!patch.fence().equals(fence)) {
            return new PatchReply.Conflict(spec, fence);
        }
        patched++;
        fence = patch.nextFence();
        spec = patch.target();
        reportedRevision = patch.revision();
        return new PatchReply.Patched(++version);
    }

    private PermitReply request(PermitRequest request) {
        if (request.session() != session) {
            return new PermitReply.Superseded(session, "A");
        }
        if (request.seq() <= takenSeq) {
            return new PermitReply.Late(takenSeq, reserved);
        }
        takenSeq = request.seq();
        var target = request.target();
        var most = random.nextBoolean() ? target : reserved.plus(cu(random.nextInt(2)));
        reserved = target.min(most.max(reserved));
        return RunnerRig.ruled(request, reserved, false);
    }

    /** A runner, and the world between it and all other components. */
    private final class Driven {
        private final Runner runner;
        private final List<RunnerAction.Request> unsent = new ArrayList<>();
        private final List<RunnerEvent> answers = new ArrayList<>();
        private OptionalLong patchInFlight = OptionalLong.empty();
        private Optional<Instant> wakeAt = Optional.empty();
        private boolean stopped;
        private long seq;
        private long fenceNumber = -1;
        private String fenceOwner = "";

        private Driven(String id) {
            var config = RunnerRig.CONFIG;
            runner = new Runner(config, id, observation(), RunnerHandover.FRESH, new Random(random.nextLong()));
            report(new RunnerEvent.Started());
        }

        private void report(RunnerEvent event) {
            if (endsPatch(event)) {
                patchInFlight = OptionalLong.empty();
            }
            var actions = runner.on(event, now);
            assertThat(stopped && !actions.isEmpty())
                    .as("an action after the end: %s", actions)
                    .isFalse();
            long wakes = actions.stream()
                    .filter(RunnerAction.WakeAt.class::isInstance)
                    .count();
            actions.forEach(this::take);
            assertThat(wakes).as("one timer: %s", actions).isEqualTo(stopped ? 0 : 1);
            lookAtStatus();
        }

        /**
         * There is always a status. It has a sentence unless the VM waits for nothing on fresh metrics, and the VM
         * waits for nothing only at the goal.
         */
        private void lookAtStatus() {
            var status = runner.status(now);
            waited.add(status.cause().waiting());
            boolean content = status.cause().waiting() == Waiting.NOTHING;
            assertThat(status.cause().words().at(now).isEmpty())
                    .isEqualTo(content && !status.cause().stale());
            if (content) {
                assertThat(status.goal()).contains(status.size());
            }
        }

        private boolean endsPatch(RunnerEvent event) {
            return event instanceof RunnerEvent.PatchAnswered(var number, var _)
                            && patchInFlight.equals(OptionalLong.of(number))
                    || event instanceof RunnerEvent.RequestFailed(var lost, var _)
                            && patchInFlight.equals(OptionalLong.of(lost));
        }

        private void take(RunnerAction action) {
            switch (action) {
                case RunnerAction.Request request -> {
                    look(request);
                    unsent.add(request);
                }
                case RunnerAction.WakeAt(var when) -> {
                    assertThat(when).isAfter(now);
                    wakeAt = Optional.of(when);
                }
                case RunnerAction.Stop _ -> stopped = true;
                case RunnerAction.Record(var recorded) ->
                    assertThat(recorded.at()).isEqualTo(now);
                case RunnerAction.Report _, RunnerAction.Warn _, RunnerAction.DetachFromMonitor _ -> {}
            }
        }

        private void look(RunnerAction.Request request) {
            if (request instanceof RunnerAction.RequestPermit(var _, var permitRequest)) {
                assertThat(permitRequest.seq()).isGreaterThan(seq);
                seq = permitRequest.seq();
            }
            if (request instanceof RunnerAction.PatchSize(var number, var patch, var _)) {
                assertThat(patchInFlight).as("one patch in flight").isEmpty();
                patchInFlight = OptionalLong.of(number);
                var next = patch.nextFence().split("/");
                assertThat(!next[0].equals(fenceOwner) || Long.parseLong(next[1]) > fenceNumber)
                        .as("%s after %s/%d", patch.nextFence(), fenceOwner, fenceNumber)
                        .isTrue();
                fenceOwner = next[0];
                fenceNumber = Long.parseLong(next[1]);
            }
        }

        private void wake() {
            if (!stopped && wakeAt.isPresent() && !now.isBefore(wakeAt.get())) {
                report(new RunnerEvent.Woken());
            }
        }

        private void deliverSome() {
            while (!unsent.isEmpty() && random.nextInt(3) > 0) {
                deliver(unsent.remove(0));
            }
            while (!answers.isEmpty() && random.nextInt(3) > 0) {
                var answer = answers.remove(random.nextInt(answers.size()));
                report(answer);
                if (random.nextInt(20) == 0) {
                    report(answer);
                }
            }
        }

        /** One in six is lost as a request or as a reply; lost patches may still be applied. */
        private void deliver(RunnerAction.Request request) {
            int luck = random.nextInt(12);
            if (luck == 0) {
                if (request instanceof RunnerAction.PatchSize(var _, var patch, var _)) {
                    onTheWay.add(patch);
                }
                answers.add(new RunnerEvent.RequestFailed(request.number(), "lost"));
                return;
            }
            var answer = answerTo(request);
            answers.add(luck == 1 ? new RunnerEvent.RequestFailed(request.number(), "no reply") : answer);
        }

        private RunnerEvent answerTo(RunnerAction.Request request) {
            return switch (request) {
                case RunnerAction.OpenLedgerSession(var number, var _) -> {
                    session++;
                    takenSeq = 0;
                    yield new RunnerEvent.SessionAnswered(number, new OpenReply.Opened(session, reserved, false));
                }
                case RunnerAction.ClaimFence(var number, var claim) -> {
                    fence = claim.runner() + "/0";
                    version++;
                    yield new RunnerEvent.ClaimAnswered(
                            number, new ClaimReply.Claimed(fence, sizes(), false, Optional.of(reportedRevision)));
                }
                case RunnerAction.RequestPermit(var number, var permitRequest) ->
                    new RunnerEvent.PermitAnswered(number, request(permitRequest));
                case RunnerAction.PatchSize(var number, var patch, var _) ->
                    new RunnerEvent.PatchAnswered(number, apply(patch));
                case RunnerAction.UpscaleGuest(var number, var _, var _, var _) ->
                    new RunnerEvent.GuestAnswered(number, new ResizeReply.Accepted(""));
                case RunnerAction.DownscaleGuest(var number, var _, var _, var _) ->
                    new RunnerEvent.GuestAnswered(
                            number,
                            random.nextInt(3) > 0 ? new ResizeReply.Accepted("") : new ResizeReply.Denied("no"));
                case RunnerAction.AttachToMonitor(var number, var _) ->
                    new RunnerEvent.MonitorAttached(number, new MonitorState(VM, generation, true, ""));
                case RunnerAction.ScrapeLfc(var number, var _, var _) ->
                    new RunnerEvent.LfcScraped(number, new LfcReading.Rejected(MetricsFault.MISSING, "not enabled"));
                case RunnerAction.Scrape(var number, var _, var _) -> {
                    double load = random.nextDouble() * 3;
                    yield new RunnerEvent.Scraped(
                            number, new MetricsReading.Read(new SystemMetrics(load, load, 1 << 30, 0)));
                }
            };
        }
    }
}
