package io.sluice.why;

import static io.sluice.why.Answer.with;
import static io.sluice.why.Vms.idle;
import static io.sluice.why.Vms.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * VMs with the reference's agent, which has no sessions and reports only to the ledger: what it requested and was
 * permitted is in the VM's annotations, and Events and {@code why} name the cause.
 */
class ReferenceAgentTest {
    private static final String APPROVED = "internal.autoscaling.neon.tech/resources-approved";
    private static final String REQUESTED = "internal.autoscaling.neon.tech/resources-requested";
    private static final String NOT_OURS = "; the ledger reports this, as its agent is not part of Sluice.*";

    private static WhyStage stage;

    @BeforeAll
    static void requested() {
        stage = new WhyStage(
                Map.of("sluice.gateway.agent.port", "0"),
                node("node-small", 10, idle("denied"), idle("partly")),
                node("node-large", 100, idle("granted")));
        stage.startWithoutAgents();
        // All of them have 4 units: after this the small node has 2 left.
        request("denied", 4);
        request("partly", 4);
        request("granted", 4);
        request("partly", 8);
        request("denied", 8);
        request("granted", 6);
    }

    @AfterAll
    static void stop() {
        stage.close();
    }

    @Test
    void approvedAmountsStandOnTheVm() {
        annotated("denied", APPROVED, "{\"vCPUs\":1,\"mem\":\"4Gi\"}");
        annotated("denied", REQUESTED, "{\"vCPUs\":2,\"mem\":\"8Gi\"}");
        annotated("partly", APPROVED, "{\"vCPUs\":\"1500m\",\"mem\":\"6Gi\"}");
        annotated("granted", APPROVED, "{\"vCPUs\":\"1500m\",\"mem\":\"6Gi\"}");
    }

    @Test
    void aDenialIsAnEvent() {
        var full = ": node node-small has 0m of 2500m left; ";
        assertThat(stage.event("denied", "ScalingDenied", message -> true))
                .startsWith("has 1/4Gi and requested 2/8Gi: cpu: requested 2000m, permitted 1000m" + full);
        assertThat(stage.event("partly", "ScalingDenied", message -> true))
                .startsWith("has 1/4Gi and requested 2/8Gi: cpu: requested 2000m, permitted 1500m" + full);
    }

    @Test
    void whyNamesTheCauseAndItsNumbers() {
        var full = " on node-small \\(2500m of 2500m and 10Gi of 10Gi reserved\\) for \\d+ (s|min).*";
        stage.vm(
                "denied",
                "goal 2/8Gi, has 1/4Gi: short by 1000m CPU and 4Gi memory" + full + NOT_OURS,
                with("ROOM", "DENIED"));
        stage.vm(
                "partly",
                "goal 2/8Gi, has 1/4Gi: short by 500m CPU and 2Gi memory" + full + NOT_OURS,
                with("ROOM", "DENIED"));
        stage.vm(
                "granted",
                "its agent requested 1500m/6Gi and was permitted all of it, has 1/4Gi" + NOT_OURS,
                with("NOTHING"));
        stage.node("node-small", ".*", with("DENIED"));
    }

    private static void request(String vm, int units) {
        stage.request(vm, Vms.UNIT.times(units));
    }

    private static void annotated(String vm, String key, String value) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(stage.annotation(vm, key)).isEqualTo(value));
    }
}
