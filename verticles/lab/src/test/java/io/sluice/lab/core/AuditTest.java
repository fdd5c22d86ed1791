package io.sluice.lab.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.AgentContact;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationTraits;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.units.Resources;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AuditTest {
    private static final Resources NONE = Resources.NONE;
    private static final Resources TOTAL = cu(10);

    private final Audit audit = new Audit();

    @Test
    void findsNothingWhereTheLedgerCoversTheVm() {
        assertThat(look(source(1, 3), node("n1", pod("db-0", 3)))).isEmpty();
        assertThat(audit.report()).isEqualTo(new AuditReport(1, 0, Optional.empty()));
    }

    @Test
    void findsAVmThatIsMoreThanIsReserved() {
        var breaches = look(source(1, 4), node("n1", pod("db-0", 3)));

        assertThat(breaches).singleElement().asString().contains("db has", "1/4Gi", "750m/3Gi", "n1", "db-0");
        assertThat(audit.report().breaches()).isEqualTo(1);
        assertThat(audit.report().firstBreach()).isPresent();
    }

    @Test
    void reportsNothingOfAVmThatChangedMeanwhile() {
        assertThat(audit.check(source(1, 4), List.of(node("n1", pod("db-0", 3))), source(2, 3)))
                .isEmpty();
        assertThat(audit.check(source(2, 4), List.of(node("n1")), target(3, 4))).isEmpty();
    }

    @Test
    void reportsNothingOfANodeLedgerThatIsIncomplete() {
        assertThat(look(source(1, 4), ledger("n1", false, 0))).isEmpty();
    }

    @Test
    void givesTheFirstEventOfANewVmSomeTime() {
        for (int i = 0; i < 39; i++) {
            assertThat(look(source(1, 4), node("n1"))).isEmpty();
        }

        assertThat(look(source(1, 4), node("n1")))
                .singleElement()
                .asString()
                .contains("db runs on n1 in pod db-0", "has no reservation there", "counted nowhere");
        assertThat(look(source(1, 4), node("n1"))).as("reported once").isEmpty();
    }

    @Test
    void findsAtOnceThatTheLedgerHasForgottenAPod() {
        look(source(1, 3), node("n1", pod("db-0", 3)));

        assertThat(look(source(1, 3), node("n1"))).singleElement().asString().contains("was lost", "counted nowhere");
    }

    @Test
    void holdsAMovingVmAgainstTheNodeThatItHasNotLeft() {
        assertThat(look(source(1, 4), node("n1", pod("db-0", 4)), node("n2", pod("db-1", 4))))
                .isEmpty();
        assertThat(look(source(1, 4), node("n1", pod("db-0", 3)), node("n2", pod("db-1", 4))))
                .singleElement()
                .asString()
                .contains("on n1 in pod db-0");
    }

    @Test
    void holdsAMovedVmAgainstTheNodeThatItRunsOn() {
        look(source(1, 4), node("n1", pod("db-0", 4)), node("n2", pod("db-1", 4)));

        assertThat(look(target(2, 4), node("n1", pod("db-0", 4)), node("n2", pod("db-1", 4))))
                .isEmpty();
        assertThat(look(target(3, 4), node("n1"), node("n2", pod("db-1", 4)))).isEmpty();
        assertThat(look(target(4, 4), node("n1"), node("n2", pod("db-1", 3))))
                .singleElement()
                .asString()
                .contains("on n2 in pod db-1");
    }

    @Test
    void findsSoonThatAMovedVmIsCountedNowhere() {
        look(source(1, 4), node("n1", pod("db-0", 4)), node("n2"));
        for (int i = 0; i < 7; i++) {
            assertThat(look(target(2, 4), node("n1"), node("n2"))).isEmpty();
        }

        assertThat(look(target(2, 4), node("n1"), node("n2")))
                .singleElement()
                .asString()
                .contains("db runs on n2 in pod db-1", "has no reservation there", "counted nowhere");
    }

    @Test
    void isMorePatientWhereAMovedVmIsStillCountedOnTheOtherNode() {
        look(source(1, 4), node("n1", pod("db-0", 4)), node("n2"));
        for (int i = 0; i < 39; i++) {
            assertThat(look(target(2, 4), node("n1", pod("db-0", 4)), node("n2")))
                    .isEmpty();
        }

        assertThat(look(target(2, 4), node("n1", pod("db-0", 4)), node("n2")))
                .singleElement()
                .asString()
                .contains("counted on n1");
    }

    @Test
    void reportsABreachOnceAMovedVmIsCountedNowhere() {
        look(source(1, 4), node("n1", pod("db-0", 4)), node("n2"));
        for (int i = 0; i < 20; i++) {
            look(target(2, 4), node("n1", pod("db-0", 4)), node("n2"));
        }

        assertThat(look(target(2, 4), node("n1"), node("n2"))).hasSize(1);
    }

    @Test
    void findsAPromiseThatGrowsBeyondTheNode() {
        look(Map.of(), node("n1", pod("db-0", 9)));

        assertThat(look(Map.of(), node("n1", pod("db-0", 11)))).hasSize(2);
    }

    @Test
    void toleratesAPodThatWasNotRequested() {
        look(Map.of(), node("n1", pod("db-0", 9)));

        assertThat(look(Map.of(), node("n1", pod("db-0", 9), pod("web-1", 4)))).isEmpty();
        assertThat(look(Map.of(), node("n1", pod("db-0", 9), pod("web-1", 4)))).isEmpty();
        assertThat(look(Map.of(), node("n1", pod("db-0", 9), pod("web-1", 5)))).hasSize(2);
    }

    @Test
    void findsAPromiseThatGrowsWhileAPodLands() {
        look(Map.of(), node("n1", pod("db-0", 9)));

        assertThat(look(Map.of(), node("n1", pod("db-0", 10), pod("web-1", 4)))).hasSize(2);
    }

    @Test
    void findsAHoldThatDoesNotFit() {
        look(Map.of(), node("n1", pod("db-0", 9)));

        assertThat(look(Map.of(), node("n1", pod("db-0", 9), reservation("web", "web-1", 4, false, true))))
                .hasSize(2);
    }

    @Test
    void toleratesWhatWasForcedInAndShrinks() {
        assertThat(look(Map.of(), node("n1", reservation("db", "db-0", 16, true, false))))
                .isEmpty();
        assertThat(look(Map.of(), node("n1", pod("db-0", 12)))).isEmpty();
        assertThat(look(Map.of(), node("n1", pod("db-0", 12)))).isEmpty();
    }

    @Test
    void passesOnWhatTheLedgerReportsOfItself() {
        assertThat(look(Map.of(), ledger("n1", true, 2))).hasSize(1);
    }

    private List<String> look(Map<String, AuditedVm> vms, NodeLedgerView... ledger) {
        return audit.check(vms, List.of(ledger), vms);
    }

    private static Resources cu(int units) {
        return new Resources(250, 1L << 30).times(units);
    }

    private static Map<String, AuditedVm> source(long version, int units) {
        return Map.of("db", new AuditedVm("db", version, "db-0", "n1", cu(units)));
    }

    private static Map<String, AuditedVm> target(long version, int units) {
        return Map.of("db", new AuditedVm("db", version, "db-1", "n2", cu(units)));
    }

    private static ReservationView pod(String name, int units) {
        return reservation(name.substring(0, name.indexOf('-')), name, units, false, false);
    }

    private static ReservationView reservation(String vm, String pod, int units, boolean recovered, boolean held) {
        var reserved = cu(units);
        var traits = new ReservationTraits(
                reserved, Overcommit.OFF, cu(1), Optional.empty(), 0, true, false, false, held, false);
        return new ReservationView(
                "uid-" + pod,
                "default",
                pod,
                vm,
                reserved,
                reserved,
                NONE,
                NONE,
                cu(16),
                false,
                recovered ? AgentContact.RECOVERED : AgentContact.REQUESTED,
                1,
                1,
                traits);
    }

    private static NodeLedgerView node(String name, ReservationView... reservations) {
        return ledger(name, true, 0, reservations);
    }

    private static NodeLedgerView ledger(String name, boolean complete, long broken, ReservationView... reservations) {
        var reserved =
                Arrays.stream(reservations).map(ReservationView::reserved).reduce(NONE, Resources::plus);
        return new NodeLedgerView(
                name,
                complete,
                TOTAL,
                TOTAL,
                reserved,
                reserved,
                NONE,
                NONE,
                NONE,
                NONE,
                NONE,
                false,
                broken,
                List.of(reservations));
    }
}
