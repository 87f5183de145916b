package saturate
