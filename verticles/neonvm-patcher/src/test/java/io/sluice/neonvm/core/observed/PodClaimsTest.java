package io.sluice.neonvm.core.observed;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.neonvm.core.ClusterConfig;
import io.sluice.neonvm.core.objects.PodClaim;
import io.sluice.neonvm.core.objects.PodReader;
import io.sluice.neonvm.core.objects.Samples;
import io.sluice.neonvm.core.objects.VmReader;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Forged reservations: a pod counts as a VM's if the VM or its migration confirms it, and at its requests otherwise.
 */
class PodClaimsTest {
    private static final Resources REQUESTS = new Resources(8_000, 8L << 30);
    private static final Resources TWO = new Resources(2_000, 2L << 30);
    private static final Resources VM_MAXIMUM = new Resources(4_000, 16L << 30);
    private static final String VM_UID = "u1";

    private final ClusterModel model = new ClusterModel();
    private final PodClaims claims = new PodClaims(model);

    @Test
    void aPodThatClaimsNothingCountsAtOnce() {
        var decision = claims.changed(PodReader.Reading.plain(stranger("p", "web", 5)));

        assertThat(decision.pod()).contains(stranger("p", "web", 5));
        assertThat(decision.pending()).isEmpty();
    }

    @Test
    void aPodThatItsVmNamesCountsAtItsUsage() {
        model.changed(vm("db-0", 3));

        assertThat(changed(reading("p", "db-0", 5, VM_UID, "", TWO))).contains(ofVm("p", "db-0", 5, TWO, ""));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"less than it requests, 1, 1", "more than any node has, 10000000, 1099511627776"})
    void aForgedUsageDoesNotCount(String how, long milliCpu, long bytes) {
        model.changed(vm("db-0", 3));

        var wanted = claims.changed(reading("p", "evil", 5, VM_UID, "", new Resources(milliCpu, bytes)));
        assertThat(wanted.pending()).contains(new OwnerLookup("p", "ns", "db", ""));

        assertThat(claims.read("p")).contains(stranger("p", "evil", 5));
    }

    @Test
    void aUsageCountsUpToTheMaximumOfItsVm() {
        model.changed(vm("db-0", 3));

        var counted = changed(reading("p", "db-0", 5, VM_UID, "", new Resources(10_000_000, 1L << 50)));

        assertThat(counted).map(PodObserved::amounts).contains(VM_MAXIMUM);
    }

    @Test
    void aPodOfAVmThatNamesNoPodYetCountsWhereTheVmControlsIt() {
        model.changed(vm("", 3));

        assertThat(changed(reading("p", "db-0", 5, VM_UID, "", TWO))).contains(ofVm("p", "db-0", 5, TWO, ""));
        assertThat(changed(reading("q", "evil", 6, "another", "", TWO))).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "the migration controls it,            m1,      db,    true",
        "it names another object's uid,        another, db,    false",
        "the migration is of another VM,       m1,      other, false"
    })
    void aTargetCountsWhere(String how, String controller, String vmOfMigration, boolean counts) {
        model.changed(vm("db-0", 3));
        model.changed(migration(vmOfMigration, "db-0", 4));

        claims.changed(reading("t", "db-1", 5, controller, "m", TWO));
        var counted = changed(reading("t", "db-1", 6, controller, "m", TWO)).or(() -> claims.read("t"));

        assertThat(counted).contains(counts ? ofVm("t", "db-1", 6, TWO, "m") : stranger("t", "db-1", 6));
    }

    @Test
    void thePodThatAVmLeavesStillCounts() {
        model.changed(vm("db-1", 3));
        model.changed(migration("db", "db-0", 4));

        assertThat(changed(reading("p", "db-0", 5, "", "", TWO))).contains(ofVm("p", "db-0", 5, TWO, ""));
    }

    @Test
    @DisplayName("a pod that comes before its VM waits until the VM was read, and nothing is read twice")
    void aPodWaitsForItsVm() {
        var first = claims.changed(reading("t", "db-1", 5, "m1", "m", TWO));
        assertThat(first.pod()).isEmpty();
        assertThat(first.pending()).contains(new OwnerLookup("t", "ns", "db", "m"));
        var second = claims.changed(reading("t", "db-1", 6, "m1", "m", TWO));
        assertThat(second).isEqualTo(new PodClaims.Decision(Optional.empty(), Optional.empty()));

        model.changed(vm("db-0", 3));
        assertThat(claims.acceptedWith("ns", "db")).isEmpty();
        model.changed(migration("db", "db-0", 4));
        assertThat(claims.acceptedWith("ns", "db")).containsExactly(ofVm("t", "db-1", 6, TWO, "m"));

        assertThat(claims.acceptedWith("ns", "db")).isEmpty();
        assertThat(claims.read("t")).isEmpty();
    }

    @Test
    void aPodThatCountedAtItsRequestsIsPublishedAgainOnceItsVmNamesIt() {
        claims.changed(reading("p", "db-0", 5, VM_UID, "", TWO));
        model.changed(claims.read("p").orElseThrow());
        assertThat(model.pod("p")).contains(stranger("p", "db-0", 5));

        var vm = vm("db-0", 7);
        model.changed(vm);
        var accepted = claims.acceptedWith("ns", "db").getFirst();

        assertThat(model.changed(accepted).observations())
                .contains(new Observation.VmCame(VmReader.inPod(vm, "p", "n1")))
                .anyMatch(observation -> observation instanceof Observation.PodCame(var pod) && pod.runsVm());
        assertThat(model.changed(accepted)).isEqualTo(ClusterModel.Step.NOTHING);
    }

    @Test
    void aClaimStaysAcceptedAsLongAsThePodIsThere() {
        model.changed(vm("db-0", 3));
        changed(reading("p", "db-0", 5, VM_UID, "", TWO));
        model.changed(vm("db-1", 6));

        assertThat(changed(reading("p", "db-0", 7, VM_UID, "", TWO))).contains(ofVm("p", "db-0", 7, TWO, ""));

        claims.forget("p");
        assertThat(claims.changed(reading("p", "db-0", 8, VM_UID, "", TWO)).pending())
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../../secrets/root", "m/../../x", "..", "M", "m?limit=1", "m%2f", "-m", "m."})
    void aNameThatNoObjectCanHaveIsNotRead(String migration) {
        var decision = claims.changed(reading("t", "db-1", 5, "m1", migration, TWO));

        assertThat(decision.pending()).contains(new OwnerLookup("t", "ns", "db", ""));
    }

    @Test
    void aPodThatClaimsAnotherVmLeavesNothingBehindWithTheFirst() {
        claims.changed(reading("p", "db-0", 5, VM_UID, "", TWO));
        var other = new PodClaim("other", VM_UID, "", TWO);
        claims.changed(new PodReader.Reading(stranger("p", "db-0", 6), Optional.of(other), List.of()));
        claims.forget("p");

        model.changed(vm("db-0", 7));

        assertThat(claims.acceptedWith("ns", "db")).isEmpty();
    }

    @Test
    void aListDecidesAboutAllItsPods() {
        var waiting = claims.changed(reading("gone", "db-7", 2, VM_UID, "", TWO));
        assertThat(waiting.pending()).isPresent();
        var pods = List.of(
                reading("p", "db-0", 5, VM_UID, "", TWO),
                reading("t", "db-1", 6, "m1", "m", TWO),
                reading("evil", "evil", 7, VM_UID, "", TWO),
                PodReader.Reading.plain(stranger("web", "web", 8)));

        var counted = claims.listed(
                new FullList.Part<>(9, pods),
                new FullList.Part<>(10, List.of(vm("db-0", 3))),
                Optional.of(new FullList.Part<>(11, List.of(migration("db", "db-0", 4)))));

        assertThat(counted.items())
                .containsExactly(
                        ofVm("p", "db-0", 5, TWO, ""),
                        ofVm("t", "db-1", 6, TWO, "m"),
                        stranger("evil", "evil", 7),
                        stranger("web", "web", 8));
        assertThat(claims.read("gone")).isEmpty();
        assertThat(claims.known("gone")).isEmpty();
    }

    private Optional<PodObserved> changed(PodReader.Reading reading) {
        return claims.changed(reading).pod();
    }

    private static PodReader.Reading reading(
            String uid, String name, long version, String controller, String migration, Resources usage) {
        return new PodReader.Reading(
                stranger(uid, name, version), Optional.of(new PodClaim("db", controller, migration, usage)), List.of());
    }

    private static PodObserved stranger(String uid, String name, long version) {
        return new PodObserved(uid, "ns", name, "n1", "", version, REQUESTS, 0);
    }

    private static PodObserved ofVm(String uid, String name, long version, Resources amounts, String migration) {
        return new PodObserved(uid, "ns", name, "n1", "db", version, amounts, 0, migration);
    }

    private static MigrationObserved migration(String vmName, String sourcePod, long version) {
        return new MigrationObserved(
                "neonvm",
                "ns",
                "m",
                "m1",
                version,
                vmName,
                MigrationPhase.RUNNING,
                sourcePod,
                "",
                "n1",
                true,
                false,
                0,
                "m1");
    }

    private static VmObserved vm(String podName, long version) {
        var object = Samples.vm();
        object.withObject("/metadata").put("resourceVersion", Long.toString(version));
        object.withObject("/status").put("podName", podName);
        return new VmReader(ClusterConfig.DEFAULTS).read(object).observed();
    }
}
