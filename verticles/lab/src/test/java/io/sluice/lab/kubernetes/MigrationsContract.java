package io.sluice.lab.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.vm.EndMigration;
import io.sluice.messages.vm.EndReply;
import io.sluice.messages.vm.MigrateReply;
import io.sluice.messages.vm.MigrateVm;
import io.sluice.neonvm.patch.VmConfig;
import io.sluice.neonvm.patch.VmPatchVerticle;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How migrations are begun and ended. */
public abstract class MigrationsContract extends DriverContract {
    private static final String NAME = "schedplugin-db-0";

    @BeforeEach
    void deploy() {
        done(vertx.deployVerticle(new VmPatchVerticle(VmConfig.DEFAULTS, config, shell, client)));
    }

    @Test
    void makesAnObjectThatGoesWithItsVm() {
        var reply = migrate();

        var object = object();
        assertThat(reply).isEqualTo(new MigrateReply.Begun(uid(object), version(object)));
        assertThat(object.at("/metadata/ownerReferences/0/uid").asText()).isEqualTo(vm.uid());
        assertThat(object.at("/metadata/ownerReferences/0/kind").asText()).isEqualTo("VirtualMachine");
        assertThat(object.at("/metadata/labels/autoscaling.neon.tech~1created-by-scheduler")
                        .asText())
                .isEqualTo("true");
        assertThat(object.at("/spec/vmName").asText()).isEqualTo("db");
        for (var flag : List.of("preventMigrationToSameHost", "incremental", "autoConverge")) {
            assertThat(object.at("/spec/" + flag)).as(flag).isEqualTo(BooleanNode.TRUE);
        }
        assertThat(object.at("/spec/allowPostCopy")).isEqualTo(BooleanNode.FALSE);
        assertThat(object.at("/spec/completionTimeout").asLong()).isEqualTo(3600);
        assertThat(object.at("/metadata/annotations/internal.autoscaling.sluice.io~1room-on")
                        .asText())
                .isEqualTo("node-b");
        assertThat(object.at("/metadata/annotations/internal.autoscaling.sluice.io~1attempt")
                        .asText())
                .isEqualTo("attempt");
        assertThat(writes("Create", "success")).isEqualTo(1);
        assertThat(counted("sluice.vm.migrations", "begun")).isEqualTo(1);
    }

    @Test
    @DisplayName("F12: a repeated request makes one migration object")
    void makesOneHoweverOftenItIsRequested() {
        var first = migrate();

        assertThat(migrate()).isEqualTo(first);
        assertThat(writes("Create", "error: 409")).isEqualTo(1);
    }

    /** As when the request of an abandoned attempt arrived late. */
    @Test
    void takesNoMigrationOfAnotherAttemptForItsOwn() {
        migrate("earlier");

        assertThat(migrate("attempt"))
                .isInstanceOfSatisfying(
                        MigrateReply.Refused.class,
                        refused -> assertThat(refused.reason()).contains("an earlier attempt"));
    }

    @Test
    void refusesWhileAnEarlierOneIsOverAndNotGone() {
        migrate();
        raw.patch(MIGRATIONS + "/" + NAME + "/status", MERGE, "{\"status\":{\"phase\":\"Failed\"}}");

        assertThat(migrate()).isInstanceOf(MigrateReply.Refused.class);
        assertThat(counted("sluice.vm.migrations", "refused")).isEqualTo(1);
    }

    @Test
    void refusesWhereAForeignMigrationHasTheName() {
        raw.post(MIGRATIONS, """
            {"apiVersion":"vm.neon.tech/v1","kind":"VirtualMachineMigration","metadata":{"name":"%s"},
             "spec":{"vmName":"db"}}\
            """.formatted(NAME));

        assertThat(migrate())
                .isInstanceOfSatisfying(
                        MigrateReply.Refused.class,
                        refused -> assertThat(refused.reason()).contains("that Sluice did not create"));
    }

    @Test
    void makesNoneForAVmThatHasGoneElsewhereOrIsGone() {
        raw.patch(VMS + "/db/status", MERGE, "{\"status\":{\"podName\":\"db-7\"}}");
        assertThat(migrate())
                .isInstanceOfSatisfying(
                        MigrateReply.Refused.class,
                        refused -> assertThat(refused.reason()).contains("db-7"));

        raw.delete(VMS + "/db", "");
        assertThat(migrate()).isInstanceOf(MigrateReply.Refused.class);
        RunningVm.replace(raw, "db", "{}");
        assertThat(migrate()).isInstanceOf(MigrateReply.Refused.class);
        assertThat(raw.get(MIGRATIONS).body().path("items")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 500, 503})
    void isInDoubtWhereTheApiReportsNoOutcome(int status) {
        proxy.failNext(status, 1);

        assertThat(migrate()).isInstanceOf(MigrateReply.InDoubt.class);
        assertThat(migrate()).isInstanceOf(MigrateReply.Begun.class);
        assertThat(counted("sluice.vm.migrations", "in_doubt")).isEqualTo(1);
    }

    @Test
    void findsTheOneThatItMadeWithoutReceivingTheReply() {
        proxy.loseAnswers(entry -> entry.path().equals(MIGRATIONS));

        assertThat(migrate()).isInstanceOf(MigrateReply.InDoubt.class);
        assertThat(migrate()).isInstanceOf(MigrateReply.InDoubt.class);
        proxy.loseAnswers(entry -> false);

        assertThat(migrate()).isEqualTo(new MigrateReply.Begun(uid(object()), version(object())));
    }

    @Test
    void isInDoubtWhenTheApiIsAway() {
        done(proxy.close());

        assertThat(migrate()).isInstanceOf(MigrateReply.InDoubt.class);
        assertThat(end("any")).isInstanceOf(EndReply.Failed.class);
        assertThat(counted("sluice.vm.migration.ends", "failed")).isEqualTo(1);
    }

    @Test
    void endsTheVeryObjectAndNoOtherOfItsName() {
        var first = ((MigrateReply.Begun) migrate()).uid();
        assertThat(end(first)).isInstanceOf(EndReply.Ended.class);
        assertThat(raw.get(MIGRATIONS + "/" + NAME).status()).isEqualTo(404);
        assertThat(end(first)).isInstanceOf(EndReply.Ended.class);

        var second = ((MigrateReply.Begun) migrate()).uid();
        assertThat(end(first)).isInstanceOf(EndReply.Ended.class);
        assertThat(uid(object())).isEqualTo(second);
        assertThat(writes("Delete", "success")).isEqualTo(1);
        assertThat(counted("sluice.vm.migration.ends", "ended")).isEqualTo(3);
    }

    @Test
    void reportsThatAnEndFailed() {
        var uid = ((MigrateReply.Begun) migrate()).uid();
        proxy.failNext(500, 1);
        assertThat(end(uid)).isInstanceOf(EndReply.Failed.class);

        proxy.failNext(409, 1);
        assertThat(end(uid)).isInstanceOf(EndReply.Failed.class);
        assertThat(end(uid)).isInstanceOf(EndReply.Ended.class);
    }

    @Test
    void endsOneThatWaitsForItsController() {
        var uid = ((MigrateReply.Begun) migrate()).uid();
        raw.patch(MIGRATIONS + "/" + NAME, MERGE, "{\"metadata\":{\"finalizers\":[\"vm.neon.tech/finalizer\"]}}");

        assertThat(end(uid)).isInstanceOf(EndReply.Ended.class);
        assertThat(object().at("/metadata/deletionTimestamp").asText()).isNotEmpty();
        assertThat(migrate()).isInstanceOf(MigrateReply.Refused.class);
    }

    private MigrateReply migrate() {
        return migrate("attempt");
    }

    private MigrateReply migrate(String attempt) {
        return done(
                bus.request(VmAddresses.MIGRATE, new MigrateVm(vm, "db-0", "node-b", Duration.ofHours(1), attempt)));
    }

    private static long version(JsonNode object) {
        return object.at("/metadata/resourceVersion").asLong();
    }

    private EndReply end(String uid) {
        return done(bus.request(VmAddresses.END_MIGRATION, new EndMigration("neonvm", "default", NAME, uid)));
    }

    private JsonNode object() {
        return raw.get(MIGRATIONS + "/" + NAME).body();
    }

    private static String uid(JsonNode object) {
        return object.at("/metadata/uid").asText();
    }

    private double writes(String op, String outcome) {
        return shell.meters()
                .get("autoscaling.plugin.k8s.ops")
                .tag("op", op)
                .tag("kind", "VirtualMachineMigration")
                .tag("outcome", outcome)
                .counter()
                .count();
    }
}
