package io.sluice.placement.core.gangs;

import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.placement.core.plugins.RoomScore;
import io.sluice.placement.core.spec.PodSpec;
import java.util.List;
import java.util.Optional;

/** What is known besides of pods, and what is new for each attempt. */
public interface GangSurroundings {
    /** A pod that waits, as the ledger counts it. */
    Optional<PodToPlace> observed(String uid);

    /** A pod that waits, as scheduling reads it. */
    Optional<PodSpec> spec(String uid);

    /** Whether another scheduler requests the binds of these gangs. */
    boolean bindsOnRequest(List<GangRecord> gangs);

    /** The score of nodes. */
    RoomScore score();

    /** A text that was never used before, without dots. */
    String unique();
}
