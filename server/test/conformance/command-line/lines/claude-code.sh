export ANTHROPIC_BASE_URL=$WEIR_URL
export ANTHROPIC_AUTH_TOKEN=$WEIR_KEY
claude --model test/echo
