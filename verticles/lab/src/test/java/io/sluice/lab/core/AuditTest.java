package io.sluice.lab.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.ledger.MemberBooks;
import io.sluice.messages.ledger.NodeBooks;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AuditTest {
    private static final Resources NONE = Resources.NONE;
    private static final Resources TOTAL = cu(10);

    private final Audit audit = new Audit();

    @Test
    void findsNothingWhereTheBooksCoverTheVm() {
        assertThat(audit.check(vm(1, 3), List.of(books(cu(3), false)), vm(1, 3)))
                .isEmpty();
        assertThat(audit.report()).isEqualTo(new AuditReport(1, 0, Optional.empty()));
    }

    @Test
    void findsAVmThatIsMoreThanIsBooked() {
        var breaches = audit.check(vm(1, 4), List.of(books(cu(3), false)), vm(1, 4));

        assertThat(breaches).singleElement().asString().contains("db", "1/4Gi", "750m/3Gi");
        assertThat(audit.report().breaches()).isEqualTo(1);
        assertThat(audit.report().firstBreach()).isPresent();
    }

    @Test
    void saysNothingOfAVmThatChangedMeanwhile() {
        assertThat(audit.check(vm(1, 4), List.of(books(cu(3), false)), vm(2, 3)))
                .isEmpty();
    }

    @Test
    void saysNothingOfBooksThatAreNotComplete() {
        var incomplete =
                new NodeBooks("n1", false, TOTAL, TOTAL, NONE, NONE, NONE, NONE, NONE, NONE, NONE, false, 0, List.of());

        assertThat(audit.check(vm(1, 4), List.of(incomplete), vm(1, 4))).isEmpty();
    }

    @Test
    void givesAMissingMemberSomeTime() {
        var empty =
                new NodeBooks("n1", true, TOTAL, TOTAL, NONE, NONE, NONE, NONE, NONE, NONE, NONE, false, 0, List.of());
        for (int i = 0; i < 39; i++) {
            assertThat(audit.check(vm(1, 4), List.of(empty), vm(1, 4))).isEmpty();
        }

        assertThat(audit.check(vm(1, 4), List.of(empty), vm(1, 4)))
                .singleElement()
                .asString()
                .contains("know nothing");
    }

    @Test
    void findsAPromiseThatGrowsBeyondTheNode() {
        audit.check(vm(1, 1), List.of(books(cu(9), false)), vm(1, 1));

        assertThat(audit.check(vm(1, 1), List.of(books(cu(11), false)), vm(1, 1)))
                .hasSize(2);
    }

    @Test
    void toleratesWhatWasForcedInAndShrinks() {
        assertThat(audit.check(vm(1, 1), List.of(books(cu(16), true)), vm(1, 1)))
                .isEmpty();
        assertThat(audit.check(vm(1, 1), List.of(books(cu(12), false)), vm(1, 1)))
                .isEmpty();
        assertThat(audit.check(vm(1, 1), List.of(books(cu(12), false)), vm(1, 1)))
                .isEmpty();
    }

    @Test
    void passesOnWhatTheBooksSayOfThemselves() {
        var broken =
                new NodeBooks("n1", true, TOTAL, TOTAL, NONE, NONE, NONE, NONE, NONE, NONE, NONE, false, 2, List.of());

        assertThat(audit.check(Map.of(), List.of(broken), Map.of())).hasSize(1);
    }

    private static Resources cu(int units) {
        return new Resources(250, 1L << 30).times(units);
    }

    private static Map<String, AuditedVm> vm(long version, int units) {
        return Map.of("db", new AuditedVm("db", version, "db-0", "n1", cu(units)));
    }

    private static NodeBooks books(Resources reserved, boolean recovered) {
        var member = new MemberBooks(
                "u1", "default", "db-0", "db", reserved, reserved, NONE, NONE, cu(16), false, recovered, 1, 1);
        return new NodeBooks(
                "n1", true, TOTAL, TOTAL, reserved, reserved, NONE, NONE, NONE, NONE, NONE, false, 0, List.of(member));
    }
}
