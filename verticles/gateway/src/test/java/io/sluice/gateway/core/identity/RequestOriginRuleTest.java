package io.sluice.gateway.core.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.core.identity.RequestOriginRule.Refusal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestOriginRuleTest {
    private static final RequestOriginRule LOCAL = RequestOriginRule.anyName(false)
            .onlyNamed(List.of("Console.Example.org"))
            .withPaths();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "localhost:8080",
                "LOCALHOST:1",
                "127.0.0.1:8080",
                "127.1.2.3",
                "[::1]",
                "[::1]:8080",
                "console.example.org",
                "CONSOLE.example.org:443"
            })
    void answersToNamesOfThisMachineAndToThoseItIsGiven(String host) {
        assertThat(refusal(LOCAL, host, null)).isEmpty();
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                "attacker.example",
                "attacker.example:8080",
                "127.0.0.1.attacker.example",
                "localhost.attacker.example",
                "10.0.0.1",
                "[::1",
                "[fe80::1]",
                "evil@localhost"
            })
    void refusesOtherNamesSinceAPageCanHaveItsOwnPointHere(String host) {
        assertThat(refusal(LOCAL, host, null)).contains("host");
    }

    @ParameterizedTest
    @CsvSource({
        "localhost:8080,http://localhost:8080",
        "localhost:8080,https://localhost:8080",
        "localhost,HTTP://LOCALHOST",
        "127.0.0.1:8080,http://127.0.0.1:8080"
    })
    void itsOwnPagesMayRequest(String host, String origin) {
        assertThat(refusal(LOCAL, host, origin)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "",
                "http://localhost",
                "http://localhost:8081",
                "http://127.0.0.1:8080",
                "http://attacker.example",
                "http://localhost:8080.attacker.example",
                "http://attacker.example/http://localhost:8080",
                "localhost:8080"
            })
    void noOtherPagesMay(String origin) {
        assertThat(refusal(LOCAL, "localhost:8080", origin)).contains("origin");
        assertThat(refusal(RequestOriginRule.anyName(false), "localhost:8080", origin))
                .contains("origin");
    }

    @Test
    void aPageWithoutTlsMayNotRequestFromAListenerWithIt() {
        var tls = RequestOriginRule.anyName(true);
        assertThat(refusal(tls, "example.org", "http://example.org")).contains("origin");
        assertThat(refusal(tls, "example.org", "https://example.org")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "same-origin,cors,",
        "same-origin,navigate,",
        "none,navigate,",
        "cross-site,navigate,",
        "cross-site,no-cors,site",
        "same-site,no-cors,site",
        "cross-site,cors,site",
        "cross-site,,site",
        "odd,cors,site"
    })
    void pagesOfOtherSitesMayLinkHereAndFetchNothing(String site, String mode, String word) {
        var caller = new RequestOrigin(
                "/", Optional.of("localhost"), Optional.empty(), Optional.of(site), Optional.ofNullable(mode));
        assertThat(LOCAL.weigh(caller).map(Refusal::word)).isEqualTo(Optional.ofNullable(word));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//",
                "/assets//x",
                "/assets/../api/fleet",
                "/assets/./x",
                "/assets/..",
                "/.",
                "/assets/%2e%2e/api/fleet",
                "/assets%2Fx",
                "/assets\\..\\api",
                "/assets%5c..",
                "/x%00"
            })
    void aPathHasOneSpelling(String path) {
        assertThat(LOCAL.weigh(at(path)).map(Refusal::status)).contains(400);
        assertThat(RequestOriginRule.anyName(false).weigh(at(path))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "/", "/api/vms/default/vm-1", "/lib/chart.js/4.5.1/dist/a..b.js", "/a.b", "/.well-known"})
    void ordinaryPathsPass(String path) {
        assertThat(LOCAL.weigh(at(path))).isEmpty();
    }

    private static RequestOrigin at(String path) {
        return new RequestOrigin(path, Optional.of("localhost"), Optional.empty(), Optional.empty(), Optional.empty());
    }

    private static Optional<String> refusal(RequestOriginRule rule, String host, String origin) {
        var caller = new RequestOrigin(
                "/", Optional.ofNullable(host), Optional.ofNullable(origin), Optional.empty(), Optional.empty());
        return rule.weigh(caller).map(Refusal::word);
    }
}
