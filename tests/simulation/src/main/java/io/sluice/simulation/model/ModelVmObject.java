package io.sluice.simulation.model;

import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.simulation.model.agent.Flight;
import io.sluice.simulation.model.agent.SimulatedRunner;
import io.sluice.simulation.model.pods.ScaledPodObject;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A VM: its object as the API server stores it, what its controller is doing, and what goes on inside. */
public final class ModelVmObject {
    public static final String NAMESPACE = "sim";
    public static final long SLOT = 1L << 30;
    private static final long WHOLE = 1_000;
    private static final Optional<Endpoint> METRICS = Optional.of(new Endpoint("10.0.0.1", 9100, "/metrics"));
    private static final Optional<Endpoint> MONITOR = Optional.of(new Endpoint("10.0.0.1", 10301, "/monitor"));

    public final VmId id;
    final Overcommit overcommit;
    final boolean wholeCpus;
    public final List<Flight> flights = new ArrayList<>();
    public final List<SimulatedRunner> runners = new ArrayList<>(2);
    public long version;
    Optional<PodObject> pod = Optional.empty();
    Resources min;
    Resources max;
    Resources spec;
    Resources status;
    boolean autoscaled = true;
    boolean migratable = true;
    boolean alwaysMigrate;
    VmPhase phase = VmPhase.RUNNING;
    public String fence = "";
    String claimedBy = "";
    Revision target = Revision.ZERO;
    Optional<Revision> current = Optional.empty();
    boolean there = true;

    /** The size that the controller is applying; none while it is idle. */
    Resources working = Resources.NONE;

    /** The size that other clients than our runners set; the ledger can only follow it. */
    Resources imposed = Resources.NONE;

    boolean reportedByOthers;

    /** Whether an agent of the reference scales it, and whether that agent names its last permit. */
    public boolean byReference;

    public boolean namesPermit;

    /** The version in which its use last grew. */
    private long grownAt;

    private Resources shownUse = Resources.NONE;

    /** What it might be granted before that was lowered, and until when a runner may still act on it. */
    Resources formerly = Resources.NONE;

    long formerlyUntil = Long.MIN_VALUE;

    public double load1 = 0.5;
    public double memoryUsed = SLOT;
    public boolean stubborn;
    public long guestGeneration = 1;
    public boolean guestConnected = true;
    Optional<String> cameFrom = Optional.empty();

    /** The node that it left last, where no room was held for it at its target. */
    Optional<String> unheldFrom = Optional.empty();

    Optional<MoveObject> lockedBy = Optional.empty();
    int lives;
    boolean touched;
    private Optional<VmObserved> observation = Optional.empty();
    private Optional<ScaledPodObject> scaled = Optional.empty();

    public ModelVmObject(
            VmId id, Resources min, Resources max, Resources size, Overcommit overcommit, boolean wholeCpus) {
        this.id = id;
        this.min = min;
        this.max = max;
        this.spec = size;
        this.status = size;
        this.overcommit = overcommit;
        this.wholeCpus = wholeCpus;
    }

    /** Makes it a pod that is resized in place: its object is that of the pod. */
    public void becomes(ScaledPodObject object) {
        scaled = Optional.of(object);
        object.bound(min, max);
    }

    /** Whether it is a pod that is resized in place. */
    public boolean isPod() {
        return scaled.isPresent();
    }

    Optional<ScaledPodObject> scaled() {
        return scaled;
    }

    /** The pod that it is. */
    public ScaledPodObject scaledPod() {
        return scaled.orElseThrow();
    }

    public String podName() {
        return pod.map(it -> it.name).orElse("");
    }

    public String node() {
        return pod.map(it -> it.node).orElse("");
    }

    /** Whether it exists. */
    public boolean isThere() {
        return there;
    }

    /** Whether a pod of it runs, so that it uses resources. */
    public boolean runs() {
        return there && pod.isPresent() && pod.get().there;
    }

    Resources inUse() {
        return spec.max(status);
    }

    VmSizes sizes() {
        return new VmSizes(min, max, spec, Optional.of(status), SLOT);
    }

    /** Its name, as it is printed. */
    public String name() {
        return id.name();
    }

    /** Its name and the kind of its agent, as a broken invariant prints them. */
    public String described() {
        return byReference ? id.name() + " (of an agent of the reference's kind)" : id.name();
    }

    /** The size of its spec. */
    public Resources spec() {
        return spec;
    }

    /** The size of its status. */
    public Resources status() {
        return status;
    }

    /** The size that the controller is applying; none while it is idle. */
    public Resources working() {
        return working;
    }

    /** The size that other clients than our runners set, until a runner's own size has replaced it. */
    public Resources imposed() {
        return imposed;
    }

    /** The patches that may still be applied to it. */
    public List<Flight> flights() {
        return flights;
    }

    /** The agents that have a runner for it. */
    public List<SimulatedRunner> runners() {
        return runners;
    }

    /** Its current fence. */
    public String fence() {
        return fence;
    }

    /**
     * The most that it may come to use, by itself, its patches and its runners; a CPU that is plugged whole counts at
     * the least that it may stand for. None while a size counts that another client set.
     */
    public Resources mayUse() {
        return imposed.equals(Resources.NONE) ? mayReallyUse() : Resources.NONE;
    }

    /** The same, also while a size counts that another client set. */
    public Resources mayReallyUse() {
        var most = spec.max(leastOf(status)).max(leastOf(working));
        for (var flight : flights) {
            if (flight.counts()) {
                most = most.max(flight.patch().target());
            }
        }
        for (var runner : runners) {
            most = most.max(runner.mayPatchTo());
        }
        return most;
    }

    private Resources leastOf(Resources plugged) {
        return isPod() ? plugged : new Resources(Math.max(0, plugged.milliCpu() - WHOLE + 1), plugged.memoryBytes());
    }

    /** Whether another client set its size, and no runner has patched it since. */
    public boolean setByOthers() {
        return reportedByOthers;
    }

    /** Whether a fence has the same owner as the current one, so that a session with it can still patch. */
    public boolean isFencedBy(String trusted) {
        int slash = fence.lastIndexOf('/');
        return slash > 0 && trusted.startsWith(fence.substring(0, slash + 1));
    }

    /** Whether that runner wrote the current fence. */
    public boolean isClaimedBy(String runner) {
        return claimedBy.startsWith(runner + ".");
    }

    /**
     * The most that such a size may look like: CPUs are plugged whole, so 1.75 CPUs look like 2. Those of pods do not.
     */
    public Resources asPlugged(Resources size) {
        return isPod() ? size : roundedUp(size);
    }

    /** The status that the controller writes after it has applied that size. */
    Resources plugged(Resources size) {
        return wholeCpus ? roundedUp(size) : size;
    }

    /** Rounds CPUs up: they are plugged whole, so a VM that is set to 1.75 CPUs has 2, and the two look the same. */
    static Resources roundedUp(Resources size) {
        return new Resources(Math.ceilDiv(size.milliCpu(), WHOLE) * WHOLE, size.memoryBytes());
    }

    boolean isAsReported() {
        return scaled.isPresent()
                ? scaled.get().isSettled()
                : status.equals(plugged(spec))
                        && current.orElse(Revision.ZERO).equals(target)
                        && working.equals(Resources.NONE);
    }

    boolean locked() {
        return phase == VmPhase.PRE_MIGRATING || phase == VmPhase.MIGRATING;
    }

    /** Whether an agent of the reference scales it. */
    public boolean byReference() {
        return byReference;
    }

    /** The version in which its use last grew. */
    public long grownAt() {
        return grownAt;
    }

    void written(long newVersion) {
        scaled.ifPresent(pod -> {
            pod.written(newVersion);
            spec = pod.read().spec();
            status = pod.read().status().orElseThrow();
            fence = pod.read().fence();
            claimedBy = fence;
            applying();
        });
        if (inUse().exceeds(shownUse)) {
            grownAt = newVersion;
        }
        shownUse = inUse();
        version = newVersion;
        observation = Optional.empty();
    }

    /** The kubelet of the pod may apply another size. */
    public void applying() {
        working = scaledPod().mayApply();
    }

    /** The VM as informers read it, not joined with its pod. */
    VmObserved observation() {
        if (observation.isEmpty()) {
            observation = Optional.of(made());
        }
        return observation.get();
    }

    private VmObserved made() {
        boolean scaling = phase == VmPhase.RUNNING && !status.equals(plugged(spec));
        return new VmObserved(
                id,
                version,
                "",
                podName(),
                node(),
                scaling ? VmPhase.SCALING : phase,
                autoscaled,
                migratable,
                alwaysMigrate,
                sizes(),
                overcommit,
                ScalingOverrides.NONE,
                current,
                Optional.empty(),
                fence,
                METRICS,
                Optional.empty(),
                MONITOR,
                VmTraits.NONE);
    }

    @Override
    public String toString() {
        return id.name();
    }
}
