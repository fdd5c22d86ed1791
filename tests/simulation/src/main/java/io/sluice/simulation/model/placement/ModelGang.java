package io.sluice.simulation.model.placement;

import io.sluice.placement.core.gangs.GangSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A gang whose pods come and go: what is declared of it, and what has become of its pods. */
public final class ModelGang {
    private final GangSpec spec;
    final List<ModelPod> members = new ArrayList<>();
    final List<ModelPod> succeeded = new ArrayList<>();
    private final Set<String> lost = new HashSet<>();
    private int degraded;

    ModelGang(GangSpec spec) {
        this.spec = spec;
    }

    public GangSpec spec() {
        return spec;
    }

    /** Its pods that are there and have not ended. */
    public List<ModelPod> members() {
        return members;
    }

    /** How many of its pods were bound and have succeeded. */
    public int succeeded() {
        return succeeded.size();
    }

    /** How often it was reported that it is degraded, and how many of its pods were deleted. */
    public int excuses() {
        return degraded + lost.size();
    }

    void degraded() {
        degraded++;
    }

    /** A pod has ended. */
    void ended(ModelPod pod, boolean well) {
        if (members.remove(pod)) {
            if (well) {
                succeeded.add(pod);
            } else {
                lost.add(pod.uid());
            }
        }
    }
}
