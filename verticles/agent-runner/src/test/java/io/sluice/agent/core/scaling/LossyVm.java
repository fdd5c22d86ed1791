package io.sluice.agent.core.scaling;

import io.sluice.agent.core.revision.ReachedRevision;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A VM's object with its fence, and a controller that follows it late, reads old versions of it, and cannot always take
 * memory back.
 */
final class LossyVm {
    private record Spec(Resources size, Revision revision) {}

    /** A patch that passes only if the fence still is {@code fence}, and then makes it {@code nextFence}. */
    record Patch(Resources target, Revision revision, long fence, long nextFence) {}

    static final Resources MIN = new Resources(250, 1L << 30);
    static final Resources MAX = new Resources(4_000, 16L << 30);

    private final Random random;
    private final boolean wholeCpus;
    private final List<Spec> specs = new ArrayList<>();
    private int read;
    private long fence;
    private Resources actual;
    private Optional<ReachedRevision> reached = Optional.empty();

    /**
     * If the actual CPU could be the rounding of the spec's, it is the spec's: the two cannot be distinguished at the
     * start.
     */
    LossyVm(Random random, Resources spec, Resources actual) {
        this.random = random;
        this.wholeCpus = random.nextBoolean();
        boolean alike = shown(actual.milliCpu()) == rounded(spec.milliCpu());
        this.actual = alike ? new Resources(spec.milliCpu(), actual.memoryBytes()) : actual;
        specs.add(new Spec(spec, Revision.ZERO));
    }

    long fence() {
        return fence;
    }

    Resources spec() {
        return specs.getLast().size();
    }

    boolean apply(Patch patch) {
        if (patch.fence() != fence) {
            return false;
        }
        fence = patch.nextFence();
        specs.add(new Spec(patch.target(), patch.revision()));
        return true;
    }

    /** One pass of the controller: of some version that is no older than the one before. */
    void reconcile(Instant now, boolean faults) {
        read = faults ? read + random.nextInt(specs.size() - read) : specs.size() - 1;
        Spec wanted = specs.get(read);
        boolean stalls = faults && random.nextInt(3) == 0;
        long memory = Math.max(stalls ? actual.memoryBytes() : 0, wanted.size().memoryBytes());
        actual = new Resources(
                stalls && random.nextBoolean()
                        ? actual.milliCpu()
                        : wanted.size().milliCpu(),
                memory);
        if (actual.equals(wanted.size()) && wanted.revision().value() > shownValue()) {
            reached = Optional.of(new ReachedRevision(wanted.revision(), now));
        }
    }

    private long shownValue() {
        return reached.map(stamped -> stamped.revision().value()).orElse(0L);
    }

    /** All that it may come to use by itself, and by the patches that are still under way. */
    Resources reach(List<Patch> onTheirWay) {
        Resources most = actual;
        for (Spec spec : specs.subList(read, specs.size())) {
            most = most.max(spec.size());
        }
        return most.max(reach(onTheirWay, fence));
    }

    private static Resources reach(List<Patch> onTheirWay, long fence) {
        return onTheirWay.stream()
                .filter(patch -> patch.fence() == fence)
                .map(patch -> patch.target().max(reach(onTheirWay, patch.nextFence())))
                .reduce(Resources.NONE, Resources::max);
    }

    /** What its spec has at least, whichever of the patches that are still under way are applied. */
    Resources least(List<Patch> onTheirWay) {
        return spec().min(least(onTheirWay, fence));
    }

    private static Resources least(List<Patch> onTheirWay, long fence) {
        return onTheirWay.stream()
                .filter(patch -> patch.fence() == fence)
                .map(patch -> patch.target().min(least(onTheirWay, patch.nextFence())))
                .reduce(MAX, Resources::min);
    }

    VmInfo observed() {
        return new VmInfo(
                MIN,
                MAX,
                spec(),
                1L << 30,
                ScalingOverrides.NONE,
                reached,
                Optional.of(new Resources(shown(actual.milliCpu()), actual.memoryBytes())));
    }

    private long shown(long milliCpu) {
        return wholeCpus ? rounded(milliCpu) : milliCpu;
    }

    private static long rounded(long milliCpu) {
        return Math.ceilDiv(milliCpu, 1_000) * 1_000;
    }
}
