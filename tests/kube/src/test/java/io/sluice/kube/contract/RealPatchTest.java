package io.sluice.kube.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bus.VmAddresses;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.kube.server.RealServer;
import io.sluice.lab.kubernetes.PatchContract;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Duration;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On a real API server, whose kinds have additional rules. */
@OnKubernetes
@ExtendWith(RealServer.class)
class RealPatchTest extends PatchContract {
    /** A rule as in NeonVM's webhook: what is used stays between the bounds of the spec. */
    @ParameterizedTest
    @CsvSource({"4250,4,cpus.use must be between min and max", "1000,17,memorySlots.use must be between min and max"})
    void refusesWhatTheRulesOfTheKindForbid(long milliCpu, long slots, String rule) {
        var fence = claimed("r1");
        var before = read();

        var reply = patch(fence, fence + "0", new Resources(milliCpu, slots << 30));

        assertThat(reply).isInstanceOfSatisfying(PatchReply.Refused.class, refused -> {
            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.reason()).contains(rule);
        });
        assertThat(read()).isEqualTo(before);
        assertThat(patch(fence, fence + "0", new Resources(4000, 16L << 30))).isInstanceOf(PatchReply.Patched.class);
    }

    private PatchReply patch(String fence, String next, Resources target) {
        return done(bus.request(
                VmAddresses.PATCH,
                new PatchVm(vm, "db-0", target, new Revision(1, 1), fence, next, Duration.ofSeconds(5))));
    }
}
