package io.sluice.lab.kubernetes;

import static io.sluice.lab.kubernetes.Stage.done;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.vm.EndMigration;
import io.sluice.messages.vm.EndReply;
import io.sluice.messages.vm.MigrateReply;
import io.sluice.messages.vm.MigrateVm;
import io.sluice.neonvm.VmConfig;
import io.sluice.neonvm.VmPatchVerticle;
import io.sluice.units.VmId;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How migrations are begun and ended, against the lab's API. */
class VmMigrationsTest {
    private static final String MIGRATIONS = "/apis/vm.neon.tech/v1/namespaces/default/virtualmachinemigrations";
    private static final String NAME = "schedplugin-db-0";
    private static final String MERGE = "application/merge-patch+json";

    private Stage stage;
    private VmId vm;

    @BeforeEach
    void setStage() {
        stage = new Stage();
        var object = stage.runningVm("db", "{}");
        vm = new VmId("neonvm", "default", "db", object.at("/metadata/uid").asText());
        done(stage.vertx.deployVerticle(
                new VmPatchVerticle(VmConfig.DEFAULTS, stage.config, stage.shell, stage.client)));
    }

    @AfterEach
    void clearStage() {
        stage.close();
    }

    @Test
    void makesAnObjectThatGoesWithItsVm() {
        var reply = migrate();

        var object = read();
        assertThat(reply).isEqualTo(new MigrateReply.Begun(uid(object)));
        assertThat(object.at("/metadata/ownerReferences/0/uid").asText()).isEqualTo(vm.uid());
        assertThat(object.at("/spec/vmName").asText()).isEqualTo("db");
        assertThat(object.at("/spec/completionTimeout").asLong()).isEqualTo(3600);
        assertThat(object.at("/metadata/annotations/internal.autoscaling.sluice.io~1room-on")
                        .asText())
                .isEqualTo("node-b");
        assertThat(writes("Create", "success")).isEqualTo(1);
        assertThat(counted("sluice.vm.migrations", "begun")).isEqualTo(1);
    }

    @Test
    void makesOneHoweverOftenItIsAsked() {
        var first = migrate();

        assertThat(migrate()).isEqualTo(first);
        assertThat(writes("Create", "error: 409")).isEqualTo(1);
    }

    @Test
    void refusesWhileAnEarlierOneIsOverAndNotGone() {
        migrate();
        stage.raw.patch(MIGRATIONS + "/" + NAME + "/status", MERGE, "{\"status\":{\"phase\":\"Failed\"}}");

        assertThat(migrate()).isInstanceOf(MigrateReply.Refused.class);
        assertThat(counted("sluice.vm.migrations", "refused")).isEqualTo(1);
    }

    @Test
    void refusesWhereSomebodyElseHasTheName() {
        stage.raw.post(MIGRATIONS, "{\"metadata\":{\"name\":\"" + NAME + "\"},\"spec\":{\"vmName\":\"db\"}}");

        assertThat(migrate())
                .isInstanceOfSatisfying(
                        MigrateReply.Refused.class,
                        refused -> assertThat(refused.reason()).contains("somebody else"));
    }

    @Test
    void makesNoneForAVmThatHasGoneElsewhereOrIsGone() {
        stage.raw.patch(Stage.VMS + "/db/status", MERGE, "{\"status\":{\"podName\":\"db-7\"}}");
        assertThat(migrate())
                .isInstanceOfSatisfying(
                        MigrateReply.Refused.class,
                        refused -> assertThat(refused.reason()).contains("db-7"));

        stage.raw.delete(Stage.VMS + "/db", "");
        assertThat(migrate()).isInstanceOf(MigrateReply.Refused.class);
        stage.runningVm("db", "{}");
        assertThat(migrate()).isInstanceOf(MigrateReply.Refused.class);
        assertThat(stage.raw.get(MIGRATIONS).body().path("items")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 500, 503})
    void isInDoubtWhereTheApiDoesNotSay(int status) {
        stage.api.failNext(status, 1);

        assertThat(migrate()).isInstanceOf(MigrateReply.InDoubt.class);
        assertThat(migrate()).isInstanceOf(MigrateReply.Begun.class);
        assertThat(counted("sluice.vm.migrations", "in_doubt")).isEqualTo(1);
    }

    @Test
    void isInDoubtWhenTheApiIsAway() {
        done(stage.api.close());

        assertThat(migrate()).isInstanceOf(MigrateReply.InDoubt.class);
        assertThat(end("any")).isInstanceOf(EndReply.Failed.class);
        assertThat(counted("sluice.vm.migration.ends", "failed")).isEqualTo(1);
    }

    @Test
    void endsTheVeryObjectAndNoOtherOfItsName() {
        var first = ((MigrateReply.Begun) migrate()).uid();
        assertThat(end(first)).isInstanceOf(EndReply.Ended.class);
        assertThat(stage.raw.get(MIGRATIONS + "/" + NAME).status()).isEqualTo(404);
        assertThat(end(first)).isInstanceOf(EndReply.Ended.class);

        var second = ((MigrateReply.Begun) migrate()).uid();
        assertThat(end(first)).isInstanceOf(EndReply.Ended.class);
        assertThat(uid(read())).isEqualTo(second);
        assertThat(writes("Delete", "success")).isEqualTo(1);
        assertThat(counted("sluice.vm.migration.ends", "ended")).isEqualTo(3);
    }

    @Test
    void saysThatAnEndFailed() {
        var uid = ((MigrateReply.Begun) migrate()).uid();
        stage.api.failNext(500, 1);
        assertThat(end(uid)).isInstanceOf(EndReply.Failed.class);

        stage.api.failNext(409, 1);
        assertThat(end(uid)).isInstanceOf(EndReply.Failed.class);
        assertThat(end(uid)).isInstanceOf(EndReply.Ended.class);
    }

    @Test
    void endsOneThatWaitsForItsController() {
        var uid = ((MigrateReply.Begun) migrate()).uid();
        stage.raw.patch(MIGRATIONS + "/" + NAME, MERGE, "{\"metadata\":{\"finalizers\":[\"vm.neon.tech/finalizer\"]}}");

        assertThat(end(uid)).isInstanceOf(EndReply.Ended.class);
        assertThat(read().at("/metadata/deletionTimestamp").asText()).isNotEmpty();
        assertThat(migrate()).isInstanceOf(MigrateReply.Refused.class);
    }

    private MigrateReply migrate() {
        return done(stage.bus.request(VmAddresses.MIGRATE, new MigrateVm(vm, "db-0", "node-b", Duration.ofHours(1))));
    }

    private EndReply end(String uid) {
        return done(stage.bus.request(VmAddresses.END_MIGRATION, new EndMigration("neonvm", "default", NAME, uid)));
    }

    private JsonNode read() {
        return stage.raw.get(MIGRATIONS + "/" + NAME).body();
    }

    private static String uid(JsonNode object) {
        return object.at("/metadata/uid").asText();
    }

    private double writes(String op, String outcome) {
        return stage.shell
                .meters()
                .get("autoscaling.plugin.k8s.ops")
                .tag("op", op)
                .tag("kind", "VirtualMachineMigration")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    private double counted(String name, String outcome) {
        return stage.shell.meters().get(name).tag("outcome", outcome).counter().count();
    }
}
