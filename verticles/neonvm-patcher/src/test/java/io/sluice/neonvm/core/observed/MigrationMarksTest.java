package io.sluice.neonvm.core.observed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.neonvm.core.ClusterConfig;
import io.sluice.neonvm.core.objects.Samples;
import io.sluice.neonvm.core.objects.VmReader;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is published of migrations, and which marks are then removed. */
class MigrationMarksTest {
    private static final UnmarkMigrating MARK = new UnmarkMigrating("n1", "source", "m1");
    private static final PodObserved SOURCE =
            new PodObserved("source", "ns", "db-0", "n1", "db", 1, new Resources(1_000, 1L << 32), 0, "");
    private final ClusterModel model = new ClusterModel();

    @BeforeEach
    void aVmThatMoves() {
        model.changed(SOURCE);
        model.changed(vm());
        model.changed(migration(MigrationPhase.PENDING, 3));
    }

    @Test
    void theMarkOfAMigrationThatFailedGoes() {
        assertThat(model.changed(migration(MigrationPhase.RUNNING, 8)).marksOver())
                .isEmpty();
        assertThat(model.changed(migration(MigrationPhase.FAILED, 9)).marksOver())
                .containsExactly(MARK);
    }

    @Test
    void theMarkOfAMigrationThatSucceededGoesWithThePodThatItsVmHasLeft() {
        assertThat(model.changed(migration(MigrationPhase.SUCCEEDED, 8)).marksOver())
                .isEmpty();
        assertThat(model.migrationGone("m1", 9).marksOver()).isEmpty();
    }

    @Test
    void theMarkOfAMigrationThatIsDeletedOrMissedGoes() {
        assertThat(model.migrationGone("m1", 9).marksOver()).containsExactly(MARK);

        var other = new MigrationObserved(
                "neonvm", "ns", "other", "m2", 10, "db", MigrationPhase.NEW, "", "", "", false, false, 0, "m2");
        model.changed(other);
        assertThat(model.listed(fullList()).marksOver())
                .as("before its source was chosen: its VM stays where it is")
                .containsExactly(new UnmarkMigrating("n1", "source", "m2"));
    }

    @Test
    void reportsMigrationsAndTheirEnd() {
        var migration = migration(MigrationPhase.RUNNING, 5);

        assertThat(model.changed(migration).observations()).containsExactly(new Observation.MigrationCame(migration));
        assertThat(model.changed(migration)).isEqualTo(ClusterModel.Step.NOTHING);
        assertThat(model.migrationGone("m1", 4)).isEqualTo(ClusterModel.Step.NOTHING);
        assertThat(model.migrationGone("m1", 6).observations())
                .singleElement()
                .isInstanceOfSatisfying(Observation.MigrationWent.class, went -> {
                    assertThat(went.gone().name()).isEqualTo("m");
                    assertThat(went.gone().vmName()).isEqualTo("db");
                    assertThat(went.gone().version()).isEqualTo(6);
                });
        assertThat(model.changed(migration(MigrationPhase.RUNNING, 6))).isEqualTo(ClusterModel.Step.NOTHING);
    }

    @Test
    void forgetsMigrationsWhereTheClusterHasNoSuchKindAnyMore() {
        var observations = model.listed(FullList.of(part(), part(), part(), Optional.empty()))
                .observations();

        assertThat(observations).anyMatch(Observation.MigrationWent.class::isInstance);
        assertThat(model.migrations()).isEmpty();
    }

    private static <T> FullList.Part<T> part() {
        return new FullList.Part<>(20, List.of());
    }

    private static FullList fullList() {
        return FullList.of(
                new FullList.Part<>(14, List.of()),
                new FullList.Part<>(14, List.of(SOURCE)),
                new FullList.Part<>(14, List.of(vm())),
                Optional.of(new FullList.Part<>(14, List.of())));
    }

    private static MigrationObserved migration(MigrationPhase phase, long version) {
        return new MigrationObserved(
                "neonvm", "ns", "m", "m1", version, "db", phase, "db-0", "db-1", "n2", true, false, 0, "m1");
    }

    private static VmObserved vm() {
        ObjectNode object = Samples.vm();
        object.withObject("/metadata").put("resourceVersion", "2");
        object.withObject("/status").put("podName", "db-0");
        return new VmReader(ClusterConfig.DEFAULTS).read(object).observed();
    }
}
