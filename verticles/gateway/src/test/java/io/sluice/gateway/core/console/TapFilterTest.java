package io.sluice.gateway.core.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TapFilterTest {
    @ParameterizedTest
    @CsvSource({
        "'', anything, true",
        "*, '', true",
        "ledger.*, ledger.permit, true",
        "ledger.*, ledger, false",
        "*.permit, ledger.permit, true",
        "l*.p*t, ledger.permit, true",
        "l*.p*x, ledger.permit, false",
        "ledger.permit, ledger.permit, true",
        "ledger.permit, ledger.permits, false",
        "a**b, ab, true",
        "*a*a*b, aaaaaaaaaaaaab, true",
        "*a*a*b, aaaaaaaaaaaaac, false",
        "ledger?permit, ledger.permit, false"
    })
    void starsStandForAnyText(String pattern, String text, boolean fits) {
        assertThat(new Glob(pattern).fits(text)).isEqualTo(fits);
    }

    @ParameterizedTest
    @CsvSource({
        "default/web, default/web, true",
        "web, default/web, true",
        "we*, default/web, true",
        "default/*, default/web, true",
        "other/*, default/web, false",
        "default, default/web, false",
        "web, '', false"
    })
    void aVmIsNamedWithOrWithoutItsNamespace(String pattern, String key, boolean passes) {
        var filter = good(pattern, "", "", "");
        assertThat(filter.passesSubject(key, "n1")).isEqualTo(passes);
    }

    @Test
    void looksAtAddressAndKindBeforeAnythingElse() {
        var filter = good("", "", "ledger.*", "REPLY");
        assertThat(filter.passes("ledger.permit", "reply")).isTrue();
        assertThat(filter.passes("ledger.permit", "request")).isFalse();
        assertThat(filter.passes("vm.patch", "reply")).isFalse();
        assertThat(filter.filtersBySubject()).isFalse();
        assertThat(good("", "n1", "", "").filtersBySubject()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "monitor.attach, monitor.attach@1f3a, true",
        "monitor.*, monitor.attach@1f3a, true",
        "*@1f3a, monitor.attach@1f3a, true",
        "*@2b4c, monitor.attach@1f3a, false",
        "'', member.status@1f3a, false",
        "*, member.dump@1f3a, false",
        "member.*, member.status@1f3a, true",
        "member.tap, member.tap@1f3a, false"
    })
    void anAddressAtOneProcessIsFoundByBothAndWhatTapsRequestByNeither(String pattern, String address, boolean passes) {
        assertThat(good("", "", pattern, "").passes(address, "request")).isEqualTo(passes);
    }

    @Test
    void refusesWhatItCannotUse() {
        assertThat(TapFilter.of("", "", "", "replies"))
                .isEqualTo(new TapFilter.Reading.Bad("kind must be request, reply or event, not replies"));
        assertThat(TapFilter.of("x".repeat(257), "", "", "")).isInstanceOf(TapFilter.Reading.Bad.class);
    }

    private static TapFilter good(String vm, String node, String address, String kind) {
        return TapFilter.of(vm, node, address, kind) instanceof TapFilter.Reading.Good(var filter) ? filter : null;
    }
}
