package io.sluice.launcher.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.billing.core.Bill;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Isolated("replaces the locale")
class BillTableTest {
    private static final Bill NOTHING = Bill.empty("default/db", "ep-1");

    private static BigInteger vcpuSeconds(double seconds) {
        return BigInteger.valueOf((long) (seconds * 1000)).multiply(BigInteger.TEN.pow(9));
    }

    private static Bill checked(Bill bill, double used, double held) {
        return bill.checked(vcpuSeconds(used), Optional.of(vcpuSeconds(held)));
    }

    @Test
    void hasARowForEachBillAndOneForAll() {
        var db = checked(NOTHING.plus(1495, 900), 1495.2, 1500.25).of("default/db", "pod");
        var web = checked(Bill.empty("default/web", "").plus(5, 90), 5, 6);

        assertThat(BillTable.lines(List.of(db, web)))
                .containsExactly(
                        "VM                               DRIVER   ENDPOINT                       vCPU s     ACTIVE s"
                                + "    HELD vCPU s  CHECK",
                        "default/db                       pod      ep-1                             1495          900"
                                + "         1500.3  ok",
                        "default/web                      -        -                                   5           90"
                                + "            6.0  ok",
                        "all                                       2 bills                          1500          990"
                                + "         1506.3  ok");
    }

    @Test
    void ofNoBillsThereIsTheSumAlone() {
        assertThat(BillTable.lines(List.of()))
                .hasSize(2)
                .last()
                .asString()
                .matches("all +0 bills +0 +0 +-  not checked");
    }

    static Stream<Arguments> checks() {
        return Stream.of(
                Arguments.of("within what was held", checked(NOTHING, 24, 24), "24.0", "ok"),
                Arguments.of("without the ledger's state", NOTHING.plus(24, 24), "-", "not checked"),
                Arguments.of(
                        "a nanosecond of a milli-CPU too much",
                        NOTHING.checked(vcpuSeconds(24).add(BigInteger.ONE), Optional.of(vcpuSeconds(24))),
                        "24.0",
                        "1 window is billed for more than was held"),
                Arguments.of(
                        "nothing was held",
                        checked(NOTHING, 24, 0),
                        "0.0",
                        "1 window is billed for more than was held"),
                Arguments.of("nothing was used of what was held", checked(NOTHING, 0, 24), "24.0", "ok"),
                Arguments.of(
                        "one window hides behind another",
                        checked(checked(NOTHING, 24, 23), 24, 99),
                        "122.0",
                        "1 window is billed for more than was held"),
                Arguments.of(
                        "a change that arrived late",
                        checked(NOTHING, 24, 24).late(Duration.ofSeconds(7), -1_000),
                        "24.0",
                        "7.0 vCPU s billed too much, as changes arrived late"),
                Arguments.of(
                        "windows without an answer",
                        checked(NOTHING, 24, 24)
                                .checked(vcpuSeconds(24), Optional.empty())
                                .checked(vcpuSeconds(24), Optional.empty()),
                        "24.0",
                        "2 windows not checked"),
                Arguments.of(
                        "a gap",
                        NOTHING.missing(Duration.ofMillis(1_440)),
                        "-",
                        "1.4 s not billed, as the use is not known"),
                Arguments.of(
                        "all of it",
                        checked(checked(NOTHING, 2, 1), 2, 1)
                                .checked(vcpuSeconds(1), Optional.empty())
                                .missing(Duration.ofHours(1)),
                        "2.0",
                        "2 windows are billed for more than was held; 1 window not checked; 3600.0 s not billed, as"
                                + " the use is not known"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("checks")
    void showsHowABillComparesToWhatWasHeld(String story, Bill bill, String held, String check) {
        var lines = BillTable.lines(List.of(bill));

        assertThat(lines.get(1)).endsWith(" " + held + "  " + check);
        assertThat(lines.get(2)).as("the sum of one bill").startsWith("all ").endsWith(" " + held + "  " + check);
    }

    @Test
    void theSumShowsWhatAnyOfThemShows() {
        var lines = BillTable.lines(List.of(
                checked(NOTHING, 1, 2),
                checked(NOTHING, 2, 1),
                NOTHING.checked(BigInteger.TEN, Optional.empty()),
                NOTHING.missing(Duration.ofSeconds(2))));

        assertThat(lines)
                .last()
                .asString()
                .endsWith(" 3.0  1 window is billed for more than was held; 1 window not checked; 2.0 s not billed, as"
                        + " the use is not known");
    }

    @Test
    void aNameThatIsTooLongPushesTheRestAndLosesNothing() {
        var name = "namespace/" + "a-very-long-name-".repeat(4);

        assertThat(BillTable.lines(List.of(Bill.empty(name, "ep-1").plus(7, 8))).get(1))
                .startsWith(name + " -        ep-1 ")
                .containsPattern(" 7 +8 ");
    }

    @Test
    void numbersAreTheSameEverywhere() {
        var before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
            assertThat(BillTable.lines(List.of(checked(NOTHING.plus(1234, 5), 1.5, 2.5)))
                            .get(1))
                    .contains(" 1234 ", " 2.5 ");
        } finally {
            Locale.setDefault(before);
        }
    }
}
