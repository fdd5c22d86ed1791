package io.sluice.gateway.core.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenSetTest {
    private static final String ONE = "0123456789abcdef";
    private static final String OTHER = "fedcba9876543210";

    @Test
    void anyOfItsTokensLetsIn() {
        var tokens = TokenSet.read("\n" + ONE + "\r\n\n  " + OTHER + "  \n");
        assertThat(tokens.size()).isEqualTo(2);
        assertThat(tokens.contains(ONE)).isTrue();
        assertThat(tokens.contains(OTHER)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "0123456789ABCDEF", "0123456789abcde", "0123456789abcdef0", " 0123456789abcdef", "\u0000"})
    void nothingElseDoes(String token) {
        assertThat(TokenSet.read(ONE).contains(token)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"short", "two words in a line", "umlaut-ääääääääääääääää", "tab\tbetween-two-words"})
    void reportsWhichLineIsNoTokenAndNothingOfItsText(String line) {
        assertThatThrownBy(() -> TokenSet.read(ONE + "\n" + line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("line 2 must be one token")
                .message()
                .doesNotContain(line);
    }

    @Test
    void aFileWithoutTokensIsRefusedRatherThanLettingAnybodyIn() {
        assertThatThrownBy(() -> TokenSet.read("\n \n"))
                .hasMessageContaining("1 to 100 tokens")
                .hasMessageContaining("0");
        assertThatThrownBy(() -> TokenSet.read((ONE + "\n").repeat(101))).hasMessageContaining("101");
    }

    @Test
    void keepsNoTokenThatCouldBeShown() {
        assertThat(TokenSet.read(ONE).toString()).doesNotContain(ONE);
    }

    @Test
    void detectsWhetherATokenIsGone() {
        var one = TokenSet.read(ONE);
        var both = TokenSet.read(ONE + "\n" + OTHER);
        assertThat(both.containsAll(one)).isTrue();
        assertThat(one.containsAll(both)).isFalse();
        assertThat(one.containsAll(TokenSet.read(OTHER))).isFalse();
        assertThat(one.containsAll(TokenSet.NONE)).isTrue();
        assertThat(TokenSet.NONE.isEmpty()).isTrue();
    }
}
