package io.sluice.neonvm.core.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.MigrationPhase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MigrationReaderTest {
    private static final String MIGRATION = """
        {"metadata":{"namespace":"ns","name":"schedplugin-db-0","uid":"m1","resourceVersion":"9",
           "creationTimestamp":"1970-01-01T00:01:00Z","deletionTimestamp":"1970-01-01T00:02:00Z",
           "labels":{"autoscaling.neon.tech/created-by-scheduler":"true"},
           "annotations":{"internal.autoscaling.sluice.io/room-on":"node-b",
             "internal.autoscaling.sluice.io/attempt":"p/7"}},
         "spec":{"vmName":"db","other":[1]},
         "status":{"phase":"Running","sourcePodName":"db-0","targetPodName":"db-1"}}\
        """;

    @Test
    void readsEverythingThatOthersNeed() {
        assertThat(MigrationReader.read(Samples.json(MIGRATION)))
                .isEqualTo(new MigrationObserved(
                        "neonvm",
                        "ns",
                        "schedplugin-db-0",
                        "m1",
                        9,
                        "db",
                        MigrationPhase.RUNNING,
                        "db-0",
                        "db-1",
                        "node-b",
                        true,
                        true,
                        60,
                        "p/7"));
    }

    @Test
    void readsAForeignOneThatHasJustBeenMade() {
        var observed = MigrationReader.read(Samples.json("""
            {"metadata":{"namespace":"ns","name":"by-hand","uid":"m1","resourceVersion":"9"},"spec":{"vmName":"db"}}\
            """));

        assertThat(observed.phase()).isEqualTo(MigrationPhase.NEW);
        assertThat(observed.ours()).isFalse();
        assertThat(observed.deleting()).isFalse();
        assertThat(observed.roomOn()).isEmpty();
        assertThat(observed.sourcePod()).isEmpty();
        assertThat(observed.targetPod()).isEmpty();
        assertThat(observed.attempt()).as("Sluice did not create it").isEqualTo("m1");
    }

    @ParameterizedTest
    @CsvSource({"true,p/1,p/1", "true,'',m1", "false,p/1,m1", "true,TOO_LONG,m1"})
    void takesForTheAttemptWhatOneOfUsWroteThere(boolean ours, String written, String attempt) {
        var observed =
                MigrationReader.read(Samples.json("""
                    {"metadata":{"namespace":"ns","name":"m","uid":"m1","resourceVersion":"9",
                       "labels":{"autoscaling.neon.tech/created-by-scheduler":"%s"},
                       "annotations":{"internal.autoscaling.sluice.io/attempt":"%s"}},"spec":{"vmName":"db"}}\
                    """.formatted(ours, written.replace("TOO_LONG", "x".repeat(65)))));

        assertThat(observed.attempt()).isEqualTo(attempt);
    }

    @ParameterizedTest
    @CsvSource({
        "'',NEW",
        "Pending,PENDING",
        "Running,RUNNING",
        "Succeeded,SUCCEEDED",
        "Failed,FAILED",
        "Whatever,PENDING"
    })
    void readsThePhases(String phase, MigrationPhase expected) {
        var migration = (ObjectNode) Samples.json(MIGRATION);
        migration.withObject("/status").put("phase", phase);

        assertThat(MigrationReader.read(migration).phase()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"/spec,vmName", "/metadata,uid", "/metadata,resourceVersion"})
    void refusesOneThatDoesNotNameWhatItMoves(String part, String field) {
        var migration = (ObjectNode) Samples.json(MIGRATION);
        migration.withObject(part).remove(field);

        assertThatThrownBy(() -> MigrationReader.read(migration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(field);
    }
}
