package io.sluice.lab.kubelet.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.units.Resources;
import org.junit.jupiter.api.Test;

class ResizeAdmissionTest {
    private static final Resources NODE = new Resources(4_000, 8_000);

    @Test
    void admitsWhatFitsBesideTheRequestsOfOthers() {
        assertThat(ResizeAdmission.of(new Resources(1_000, 3_000), new Resources(3_000, 5_000), NODE))
                .isEqualTo(new ResizeAdmission.Admitted());
    }

    @Test
    void defersWhatHasNoRoomNowAndNamesTheKind() {
        assertThat(ResizeAdmission.of(new Resources(1_000, 3_001), new Resources(3_000, 5_000), NODE))
                .isEqualTo(new ResizeAdmission.Deferred(
                        "Node didn't have enough resource: memory, requested: 3001, used: 5000, capacity: 8000"));
    }

    @Test
    void refusesWhatTheNodeAsAWholeLacks() {
        assertThat(ResizeAdmission.of(new Resources(4_001, 1), Resources.NONE, NODE))
                .isEqualTo(new ResizeAdmission.Infeasible(
                        "Node didn't have enough capacity: cpu, requested: 4001, capacity: 4000"));
    }
}
