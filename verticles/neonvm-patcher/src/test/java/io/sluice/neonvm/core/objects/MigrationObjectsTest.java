package io.sluice.neonvm.core.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.vm.MigrateReply;
import io.sluice.messages.vm.MigrateVm;
import io.sluice.units.VmId;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MigrationObjectsTest {
    private static final MigrateVm REQUEST =
            new MigrateVm(new VmId("neonvm", "ns", "db", "u1"), "db-0", "node-b", Duration.ofHours(1), "attempt");

    @Test
    void writesEveryFieldThatTheKindsOwnClientsWouldReadAsFalse() {
        assertThat(Samples.json(MigrationObjects.create(REQUEST))).isEqualTo(Samples.json("""
            {"apiVersion":"vm.neon.tech/v1","kind":"VirtualMachineMigration",
             "metadata":{"name":"schedplugin-db-0","namespace":"ns",
               "labels":{"autoscaling.neon.tech/created-by-scheduler":"true"},
               "annotations":{"internal.autoscaling.sluice.io/room-on":"node-b",
                 "internal.autoscaling.sluice.io/attempt":"attempt"},
               "ownerReferences":[
                 {"apiVersion":"vm.neon.tech/v1","kind":"VirtualMachine","name":"db","uid":"u1"}]},
             "spec":{"vmName":"db","preventMigrationToSameHost":true,"completionTimeout":3600,
               "incremental":true,"autoConverge":true,"maxBandwidth":"1Gi","allowPostCopy":false}}\
            """));
    }

    @Test
    void deletesNoOtherOfThatName() {
        assertThat(Samples.json(MigrationObjects.deletion("m1"))
                        .at("/preconditions/uid")
                        .asText())
                .isEqualTo("m1");
    }

    @Test
    void letsAVmLeaveTheVeryPodThatItRunsIn() {
        assertThat(MigrationObjects.obstacle(REQUEST, Samples.vm())).isEmpty();
        assertThat(MigrationObjects.obstacle(REQUEST, Samples.with("/status", "podName", "\"db-7\"")))
                .contains("the VM runs in another pod now: db-7 instead of db-0");
        assertThat(MigrationObjects.obstacle(REQUEST, Samples.with("/metadata", "uid", "\"u2\"")))
                .contains("the VM of that name has another uid now");
        assertThat(MigrationObjects.obstacle(
                        REQUEST, Samples.with("/metadata", "deletionTimestamp", "\"2026-01-01T00:00:00Z\"")))
                .contains("the VM is being deleted");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        is the same request's                | true  | db    | Pending   | false | attempt | Begun
        was not done anything for yet        | true  | db    | ''        | false | attempt | Begun
        is not ours                          | false | db    | Pending   | false | attempt | Sluice did not create
        moves another VM                     | true  | other | Pending   | false | attempt | belongs to the VM other
        has succeeded                        | true  | db    | Succeeded | false | attempt | is over and not gone yet
        has failed                           | true  | db    | Failed    | false | attempt | is over and not gone yet
        is being cancelled                   | true  | db    | Running   | true  | attempt | is over and not gone yet
        is an earlier attempt's              | true  | db    | Pending   | false | earlier | an earlier attempt's
        """)
    void answersByTheOneThatIsThereWhere(
            String name, boolean ours, String vmName, String phase, boolean deleting, String attempt, String expected) {
        var reply = MigrationObjects.existing(REQUEST, migration(ours, vmName, phase, deleting, attempt));

        switch (reply) {
            case MigrateReply.Begun begun -> assertThat(begun + expected).isEqualTo("Begun[uid=m1, version=9]Begun");
            case MigrateReply.Refused refused -> assertThat(refused.reason()).contains(expected);
            case MigrateReply.InDoubt inDoubt -> throw new AssertionError(inDoubt);
        }
    }

    private static JsonNode migration(boolean ours, String vmName, String phase, boolean deleting, String attempt) {
        return Samples.json("""
            {"metadata":{"namespace":"ns","name":"schedplugin-db-0","uid":"m1","resourceVersion":"9"%s,
               "labels":{"autoscaling.neon.tech/created-by-scheduler":"%s"},
               "annotations":{"internal.autoscaling.sluice.io/attempt":"%s"}},
             "spec":{"vmName":"%s"},"status":{"phase":"%s"}}\
            """.formatted(
                deleting ? ",\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"" : "", ours, attempt, vmName, phase));
    }
}
