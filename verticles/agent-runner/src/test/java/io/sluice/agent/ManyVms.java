package io.sluice.agent;

import static io.sluice.agent.Surroundings.cu;
import static io.sluice.agent.Surroundings.loadFor;

import io.sluice.agent.core.metrics.LfcReading;
import io.sluice.agent.core.metrics.MetricsFault;
import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.agent.core.scaling.SystemMetrics;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.ScalingRecorded;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.monitor.DetachMonitor;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Fakes of all components that the runners of very many VMs use, without a socket: each request succeeds, a turn of the
 * event loop later. To be created on the agent's context. Records the history of each VM.
 */
final class ManyVms implements RunnerPorts {
    private static final double QUIET_BYTES = 200 << 20;

    private final Context context = Vertx.currentContext();
    private final Consumer<VmObserved> observe;
    private final Map<String, VmObserved> observations = new ConcurrentHashMap<>();
    private final Map<String, Life> lives = new ConcurrentHashMap<>();
    private volatile boolean busy = true;

    /**
     * The history of one VM.
     *
     * @param sessions one for each runner that began
     * @param requested the sizes of its permit requests, without repeats
     * @param patches its sizes, as they were patched
     * @param decisions those that were published
     * @param entries its sizes in scaling events
     * @param guest the sizes in requests to its monitor
     * @param sizes those of its published statuses
     */
    record Life(
            List<Long> sessions,
            List<Resources> requested,
            List<Resources> patches,
            List<String> decisions,
            List<String> entries,
            List<Resources> guest,
            List<Resources> sizes) {
        Life() {
            this(
                    new CopyOnWriteArrayList<>(),
                    new CopyOnWriteArrayList<>(),
                    new CopyOnWriteArrayList<>(),
                    new CopyOnWriteArrayList<>(),
                    new CopyOnWriteArrayList<>(),
                    new CopyOnWriteArrayList<>(),
                    new CopyOnWriteArrayList<>());
        }

        /** Whether all that a VM of that size needs was requested and published. */
        boolean settled(Resources size) {
            return Stream.of(requested, patches, guest, sizes)
                            .allMatch(list -> !list.isEmpty() && list.getLast().equals(size))
                    && decisions.size() >= patches.size();
        }

        /** What must be the same whatever fault another VM has. */
        List<Object> course() {
            return List.of(
                    sessions.size(),
                    requested.stream().distinct().toList(),
                    List.copyOf(patches),
                    List.copyOf(guest),
                    List.copyOf(decisions),
                    List.copyOf(entries));
        }
    }

    /** @param observe passes an observation of a VM to the agent */
    ManyVms(Consumer<VmObserved> observe) {
        this.observe = observe;
    }

    /** VMs of 2 units whose load asks for more. */
    void begin(int count) {
        for (int i = 0; i < count; i++) {
            lives.put(name(i), new Life());
            var observation = observation(name(i), 1, cu(2), "", Optional.empty());
            observations.put(name(i), observation);
            observe.accept(observation);
        }
    }

    /** From now on their load asks for less. */
    void calmDown() {
        busy = false;
    }

    /** Whether all but those have reached what their load asks for now. */
    boolean haveSettledBut(Set<String> some) {
        return lives.entrySet().stream()
                .filter(vm -> !some.contains(vm.getKey()))
                .allMatch(vm -> vm.getValue().settled(cu(units(vm.getKey()))));
    }

    Life life(String name) {
        return lives.get(name);
    }

    Map<String, Life> lives() {
        return lives;
    }

    static String name(int index) {
        return "vm-" + index;
    }

    /** The VM of a request. */
    static String about(RunnerAction.Request request) {
        return switch (request) {
            case RunnerAction.OpenLedgerSession(var _, var open) -> open.pod();
            case RunnerAction.RequestPermit(var _, var permitRequest) -> permitRequest.pod();
            case RunnerAction.ClaimFence(var _, var claim) -> claim.vm().name();
            case RunnerAction.PatchSize(var _, var patch, var _) -> patch.vm().name();
            case RunnerAction.UpscaleGuest(var _, var resize, var _, var _) ->
                resize.vm().name();
            case RunnerAction.DownscaleGuest(var _, var resize, var _, var _) ->
                resize.vm().name();
            case RunnerAction.AttachToMonitor(var _, var attach) -> attach.vm().name();
            case RunnerAction.Scrape(var _, var _, var endpoint) ->
                endpoint.path().substring(1);
            case RunnerAction.ScrapeLfc(var _, var endpoint, var _) ->
                endpoint.path().substring(1);
        };
    }

    @Override
    public Future<RunnerEvent> send(RunnerAction.Request request) {
        if (request instanceof RunnerAction.OpenLedgerSession) {
            // In the turn in which the runner starts: the time of a later turn is no measure of its pace.
            lives.get(about(request)).sessions().add(System.nanoTime());
        }
        Promise<RunnerEvent> promise = Promise.promise();
        context.runOnContext(turn -> promise.complete(answer(request)));
        return promise.future();
    }

    @Override
    public void publish(ScalingRecorded recorded) {
        lives.get(recorded.vm().name())
                .entries()
                .add(recorded.kind() + " " + recorded.currentMilliCu() + " " + recorded.targetMilliCu());
    }

    @Override
    public void publish(Decision decision) {
        lives.get(decision.vm().name()).decisions().add(decision.kind() + " " + decision.from() + decision.to());
    }

    @Override
    public void publish(RunnerStatus status) {
        lives.get(status.vm().name()).sizes().add(status.size());
    }

    @Override
    public void detach(DetachMonitor request, String at) {}

    private RunnerEvent answer(RunnerAction.Request request) {
        var life = lives.get(about(request));
        return switch (request) {
            case RunnerAction.OpenLedgerSession(var number, var _) ->
                new RunnerEvent.SessionAnswered(
                        number, new OpenReply.Opened(life.sessions().size(), cu(2), false));
            case RunnerAction.RequestPermit(var number, var permitRequest) -> {
                if (life.requested().isEmpty() || !life.requested().getLast().equals(permitRequest.target())) {
                    life.requested().add(permitRequest.target());
                }
                yield new RunnerEvent.PermitAnswered(number, Surroundings.grant(permitRequest));
            }
            case RunnerAction.ClaimFence(var number, var claim) -> {
                var observation = observations.get(claim.vm().name());
                yield new RunnerEvent.ClaimAnswered(
                        number,
                        new ClaimReply.Claimed(
                                claim.runner() + "/0", observation.sizes(), true, observation.currentRevision()));
            }
            case RunnerAction.PatchSize(var number, var patch, var _) ->
                new RunnerEvent.PatchAnswered(number, patch(life, patch));
            case RunnerAction.UpscaleGuest(var number, var reported, var _, var _) -> resize(life, number, reported);
            case RunnerAction.DownscaleGuest(var number, var resize, var _, var _) -> resize(life, number, resize);
            case RunnerAction.AttachToMonitor(var number, var attach) ->
                new RunnerEvent.MonitorAttached(number, new MonitorState(attach.vm(), 1, true, ""));
            case RunnerAction.Scrape(var number, var _, var endpoint) ->
                new RunnerEvent.Scraped(number, metrics(endpoint.path().substring(1)));
            case RunnerAction.ScrapeLfc(var number, var _, var _) ->
                new RunnerEvent.LfcScraped(number, new LfcReading.Rejected(MetricsFault.MISSING, "no file cache"));
        };
    }

    private static RunnerEvent resize(Life life, long number, ResizeGuest request) {
        life.guest().add(request.target());
        return new RunnerEvent.GuestAnswered(number, new ResizeReply.Accepted(""));
    }

    private PatchReply patch(Life life, PatchVm patch) {
        life.patches().add(patch.target());
        var name = patch.vm().name();
        var version = observations.get(name).version() + 1;
        var shown = observation(name, version, patch.target(), patch.nextFence(), Optional.of(patch.revision()));
        observations.put(name, shown);
        observe.accept(shown);
        return new PatchReply.Patched(version);
    }

    /** Up to 4 or 5, then down to 3, which is done a unit at a time. */
    private int units(String name) {
        int index = Integer.parseInt(name.substring(name.indexOf('-') + 1));
        return busy ? 4 + index % 2 : 3;
    }

    private MetricsReading metrics(String name) {
        double load = loadFor(units(name)) - 0.01;
        return new MetricsReading.Read(new SystemMetrics(load, load, QUIET_BYTES, 0));
    }

    private static VmObserved observation(
            String name, long version, Resources size, String fence, Optional<Revision> revision) {
        return new VmObserved(
                new VmId("neonvm", "default", name, "uid-" + name),
                version,
                name,
                "pod-" + name,
                "n1",
                VmPhase.RUNNING,
                true,
                true,
                false,
                new VmSizes(cu(1), cu(16), size, Optional.of(size), 1L << 27),
                Overcommit.OFF,
                ScalingOverrides.NONE,
                revision,
                Optional.empty(),
                fence,
                Optional.of(new Endpoint("127.0.0.1", 1, "/" + name)),
                Optional.empty(),
                Optional.of(new Endpoint("127.0.0.1", 1, "/monitor")),
                VmTraits.NONE);
    }
}
