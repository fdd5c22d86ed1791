package io.sluice.gateway.core.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Goal: a mark distinguishes tokens and has their end, and nothing else of them. Method: tokens of all kinds. */
class TokenMarkTest {
    @Test
    void readsWhenAServiceAccountsTokenEnds() {
        assertThat(TokenMark.of(token("{\"aud\":[\"sluice\"],\"exp\":1795260000,\"sub\":\"x\"}"))
                        .ends())
                .contains(Instant.ofEpochSecond(1_795_260_000));
    }

    static Stream<String> others() {
        return Stream.of(
                "",
                "a-shared-token",
                "a.b",
                "a.b.c",
                "..",
                "a.%%%.c",
                "a.b.c.d",
                token("{}"),
                token("[]"),
                token("{\"exp\":\"1795260000\"}"),
                token("{\"exp\":1e300}"),
                token("{\"exp\":9223372036854775807}"),
                token("{\"exp\":-9223372036854775808}"),
                token("{\"exp\":"));
    }

    @ParameterizedTest
    @MethodSource("others")
    void otherTokensShowNothingOfTheirEnd(String token) {
        assertThat(TokenMark.of(token).ends()).isEmpty();
    }

    @Test
    void distinguishesTokensWithoutKeepingThem() {
        var one = token("{\"exp\":1}");
        assertThat(TokenMark.of(one)).isEqualTo(TokenMark.of(one)).isNotEqualTo(TokenMark.of(one + "x"));
        assertThat(TokenMark.of(one).hash()).hasSize(64);
        assertThat(TokenMark.of("secret-of-this-test").toString()).doesNotContain("secret");
    }

    private static String token(String claims) {
        return "e30." + Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(StandardCharsets.UTF_8))
                + ".c2VhbA";
    }
}
