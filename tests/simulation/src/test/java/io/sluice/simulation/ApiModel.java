package io.sluice.simulation;

import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSeen;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import java.util.Optional;

/** One VM object as an API server keeps it, with the controller that makes its spec true. */
final class ApiModel {
    static final long SLOT = 1L << 30;

    private final VmId vm;
    private String pod;
    private String node;
    private final Resources min;
    private final Resources max;
    private long version = 1;
    private Resources spec;
    private Resources status;
    private String fence = "";
    private Revision target = Revision.ZERO;
    private Optional<Revision> current = Optional.empty();
    private Optional<VmPhase> moving = Optional.empty();

    ApiModel(String name, String node, Resources min, Resources max, Resources size) {
        this.vm = new VmId("neonvm", "sim", name, "uid-" + name);
        this.pod = "pod-" + name;
        this.node = node;
        this.min = min;
        this.max = max;
        this.spec = size;
        this.status = size;
    }

    VmId vm() {
        return vm;
    }

    String pod() {
        return pod;
    }

    String node() {
        return node;
    }

    long version() {
        return version;
    }

    String fence() {
        return fence;
    }

    Resources spec() {
        return spec;
    }

    Resources inUse() {
        return spec.max(status);
    }

    Resources status() {
        return status;
    }

    ClaimReply claim(String runner) {
        version++;
        fence = runner + "+" + version + "/0";
        return new ClaimReply.Claimed(
                fence, sizes(), isAsTold(), Optional.of(target).filter(told -> !told.equals(Revision.ZERO)));
    }

    PatchReply patch(PatchVm patch) {
        if (!patch.podName().equals(pod)) {
            return new PatchReply.Refused(422, "the VM runs in another pod");
        }
        if (!patch.fence().equals(fence)) {
            return new PatchReply.Conflict(spec, fence);
        }
        fence = patch.nextFence();
        spec = patch.target();
        target = patch.revision();
        version++;
        return new PatchReply.Patched(version);
    }

    /** What a controller reads of the object when it turns to it. */
    record Read(Resources spec, Revision target) {}

    Read read() {
        return new Read(spec, target);
    }

    /** The controller makes the status what it read some time ago. Memory may come to be so by halves. */
    void reconcile(Read read, boolean whole) {
        status = whole ? read.spec() : halfWayTo(read.spec());
        if (status.equals(read.spec())) {
            current = Optional.of(read.target());
        }
        version++;
    }

    boolean moves() {
        return moving.isPresent();
    }

    /** Its migration is that far; nothing is made true of its spec until it is over. */
    void moves(VmPhase phase) {
        moving = Optional.of(phase);
        version++;
    }

    /** Its migration is over, and it stays. */
    void stays() {
        moving = Optional.empty();
        version++;
    }

    /** Its migration is over, and it runs there now. */
    void arrives(String newPod, String newNode) {
        pod = newPod;
        node = newNode;
        stays();
    }

    boolean isAsTold() {
        return status.equals(spec) && current.orElse(Revision.ZERO).equals(target);
    }

    VmSeen seen() {
        var phase = moving.orElse(status.equals(spec) ? VmPhase.RUNNING : VmPhase.SCALING);
        return new VmSeen(
                vm,
                version,
                pod,
                pod,
                node,
                phase,
                true,
                true,
                true,
                sizes(),
                Overcommit.OFF,
                ScalingOverrides.NONE,
                current,
                Optional.empty(),
                fence,
                Optional.of(new Endpoint("127.0.0.1", 9100, "/metrics")),
                Optional.empty(),
                Optional.of(new Endpoint("127.0.0.1", 10301, "/monitor")),
                VmTraits.NONE);
    }

    private VmSizes sizes() {
        return new VmSizes(min, max, spec, Optional.of(status), SLOT);
    }

    private Resources halfWayTo(Resources size) {
        return new Resources(size.milliCpu(), (status.memoryBytes() + size.memoryBytes()) / 2 / SLOT * SLOT);
    }
}
