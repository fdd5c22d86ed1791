package io.sluice.gateway.core.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoginSessionsTest {
    private static final String ONE = "0123456789abcdef";
    private static final String OTHER = "fedcba9876543210";
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final LoginSessions logins = new LoginSessions(new byte[] {1, 2, 3});
    private final TokenSet both = TokenSet.read(ONE + "\n" + OTHER);
    private final String pass = logins.pass(both, OTHER, NOW).orElseThrow();

    @Test
    void aClientThatShowsATokenIsLetInUntilItsTimeIsOver() {
        assertThat(logins.lets(both, pass, NOW)).isTrue();
        assertThat(logins.lets(both, pass, NOW.plus(LoginSessions.VALID_FOR).minusSeconds(1)))
                .isTrue();
        assertThat(logins.lets(both, pass, NOW.plus(LoginSessions.VALID_FOR))).isFalse();
    }

    @Test
    void aWrongTokenGetsNothing() {
        assertThat(logins.pass(both, "not one of them, at all", NOW)).isEmpty();
        assertThat(logins.pass(TokenSet.NONE, ONE, NOW)).isEmpty();
    }

    @Test
    void aPassEndsWithItsTokenAndOutlivesOthers() {
        assertThat(logins.lets(TokenSet.read(OTHER), pass, NOW)).isTrue();
        assertThat(logins.lets(TokenSet.read(ONE), pass, NOW)).isFalse();
        assertThat(logins.lets(TokenSet.NONE, pass, NOW)).isFalse();
    }

    @Test
    void anotherProcessDoesNotAcceptIt() {
        assertThat(new LoginSessions(new byte[] {3, 2, 1}).lets(both, pass, NOW))
                .isFalse();
    }

    @Test
    void noneProlongsIt() {
        long until = NOW.plus(LoginSessions.VALID_FOR).getEpochSecond();
        var longer = pass.replace(Long.toString(until), Long.toString(until + 1_000_000));
        assertThat(longer).isNotEqualTo(pass);
        assertThat(logins.lets(both, longer, NOW)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ".", "1", "1.", ".x", "x.y", "9999999999.", "9999999999.%%%", "99999999999999999999.AAAA"})
    void garbageDoesNotLetIn(String garbage) {
        assertThat(logins.lets(both, garbage, NOW)).isFalse();
        assertThat(logins.lets(both, garbage + "A".repeat(10_000), NOW)).isFalse();
    }

    @Test
    void revealsNothingOfTheToken() {
        assertThat(pass).doesNotContain(OTHER);
    }
}
