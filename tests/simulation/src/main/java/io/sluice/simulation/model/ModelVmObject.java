package io.sluice.simulation.model;

import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A VM: its object as the API server keeps it, what its controller is at, and what goes on inside. */
public final class ModelVmObject {
    static final String NAMESPACE = "sim";
    static final long SLOT = 1L << 30;
    private static final Optional<Endpoint> METRICS = Optional.of(new Endpoint("10.0.0.1", 9100, "/metrics"));
    private static final Optional<Endpoint> MONITOR = Optional.of(new Endpoint("10.0.0.1", 10301, "/monitor"));

    final VmId id;
    final Overcommit overcommit;
    final boolean wholeCpus;
    final List<Flight> flights = new ArrayList<>();
    final List<SimulatedRunner> seats = new ArrayList<>(2);
    long version;
    Optional<PodObject> pod = Optional.empty();
    Resources min;
    Resources max;
    Resources spec;
    Resources status;
    boolean autoscaled = true;
    boolean migratable = true;
    boolean alwaysMigrate;
    VmPhase phase = VmPhase.RUNNING;
    String fence = "";
    String claimedBy = "";
    Revision target = Revision.ZERO;
    Optional<Revision> current = Optional.empty();
    boolean there = true;

    /** What the controller is making true; nothing while it is at rest. */
    Resources working = Resources.NONE;

    /** What others than our runners told it to be; the books can only follow that. */
    Resources imposed = Resources.NONE;

    boolean toldByOthers;

    /** Whether an agent of the reference scales it, and whether that names its last permit. */
    boolean byReference;

    boolean namesPermit;

    /** When it last came to use more than it did. */
    private long grownAt;

    private Resources shownUse = Resources.NONE;

    /** What it might be granted before somebody lowered that, and until when anybody may still act on it. */
    Resources formerly = Resources.NONE;

    long formerlyUntil = Long.MIN_VALUE;

    double load1 = 0.5;
    double memoryUsed = SLOT;
    boolean stubborn;
    long guestGeneration = 1;
    boolean guestConnected = true;
    Optional<String> cameFrom = Optional.empty();
    Optional<MoveObject> lockedBy = Optional.empty();
    int lives;
    boolean touched;
    private Optional<VmObserved> fact = Optional.empty();

    ModelVmObject(VmId id, Resources min, Resources max, Resources size, Overcommit overcommit, boolean wholeCpus) {
        this.id = id;
        this.min = min;
        this.max = max;
        this.spec = size;
        this.status = size;
        this.overcommit = overcommit;
        this.wholeCpus = wholeCpus;
    }

    String podName() {
        return pod.map(it -> it.name).orElse("");
    }

    String node() {
        return pod.map(it -> it.node).orElse("");
    }

    /** Whether a pod of it runs, so that it uses something. */
    public boolean runs() {
        return there && pod.isPresent() && pod.get().there;
    }

    Resources inUse() {
        return spec.max(status);
    }

    VmSizes sizes() {
        return new VmSizes(min, max, spec, Optional.of(status), SLOT);
    }

    /** Its name, for people. */
    public String name() {
        return id.name();
    }

    /** What it is told to be. */
    public Resources spec() {
        return spec;
    }

    /** What it is. */
    public Resources status() {
        return status;
    }

    /** What the controller is making of it; nothing while it rests. */
    public Resources working() {
        return working;
    }

    /** What others than our runners told it to be, until a runner's own size has taken its place. */
    public Resources imposed() {
        return imposed;
    }

    /** The patches that may still be applied to it. */
    public List<Flight> flights() {
        return flights;
    }

    /** Those who keep runners for it. */
    public List<SimulatedRunner> seats() {
        return seats;
    }

    /** The fence that stands on it. */
    public String fence() {
        return fence;
    }

    /** Whether a fence has the owner of the one that stands, so that whoever believes in it can still patch. */
    public boolean isFencedBy(String believed) {
        int slash = fence.lastIndexOf('/');
        return slash > 0 && believed.startsWith(fence.substring(0, slash + 1));
    }

    /** Whether that runner wrote the fence that stands. */
    public boolean isClaimedBy(String runner) {
        return claimedBy.startsWith(runner + ".");
    }

    /** CPUs are plugged whole, so nobody can tell 1.75 of them from 2. */
    public static Resources wholeCpus(Resources size) {
        return roundedUp(size);
    }

    /** What the controller shows once it has made that true. */
    Resources plugged(Resources size) {
        return wholeCpus ? roundedUp(size) : size;
    }

    /** CPUs are plugged whole: a VM that is told 1.75 of them has 2, and nobody can tell the one from the other. */
    static Resources roundedUp(Resources size) {
        return new Resources(Math.ceilDiv(size.milliCpu(), 1_000) * 1_000, size.memoryBytes());
    }

    boolean isAsTold() {
        return status.equals(plugged(spec))
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

    /** The version in which it last came to use more than before. */
    public long grownAt() {
        return grownAt;
    }

    void written(long newVersion) {
        if (inUse().exceeds(shownUse)) {
            grownAt = newVersion;
        }
        shownUse = inUse();
        version = newVersion;
        fact = Optional.empty();
    }

    /** As informers read it: not joined with its pod. */
    VmObserved fact() {
        if (fact.isEmpty()) {
            fact = Optional.of(made());
        }
        return fact.get();
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
